/** How the command ends. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** A code that a shell reads. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Why no package was made: a sentence for the person who asked, and what to do. */
export class CreateError extends Error {
  override readonly name: string = "CreateError";
  readonly exitCode: ExitCode;
  readonly fix: string | undefined;

  constructor(exitCode: ExitCode, message: string, options: { readonly fix?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = exitCode;
    this.fix = options.fix;
  }
}

/** A command line, or an answer of it, that is wrong. */
export function usageError(message: string, fix?: string): CreateError {
  return new CreateError(EXIT.usage, message, fix === undefined ? {} : { fix });
}

/** Something of this machine that stands in the way. */
export function failure(
  message: string,
  options: { readonly fix?: string; readonly cause?: unknown } = {},
): CreateError {
  return new CreateError(EXIT.failed, message, options);
}
