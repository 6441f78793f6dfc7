import type { ErrorType, FailureStatus } from "../contract/tool-result.ts";
import { isBrandedError } from "./is-branded-error.ts";
import { ERROR_CODES, type CoreErrorCode, type ErrorCatalogue, type ErrorCode } from "./error-codes.ts";

const BRAND = Symbol.for("@aiw/core/tool-error");

/** What a failure says beyond its code and message. */
export interface ToolErrorOptions {
  /** An executable next step with real values. */
  readonly suggestion?: string;
  /** Bounded facts, flattened for the model as a value is. */
  readonly details?: { readonly [name: string]: unknown };
  readonly cause?: unknown;
  /** False when the work may still be running. */
  readonly settled?: boolean;
  /** Shown in the head of the message in place of the arguments as given. */
  readonly parameters?: { readonly [name: string]: unknown };
  /** For codes outside the core catalogue; `user_error` unless named. */
  readonly type?: ErrorType;
  /** For codes outside the core catalogue; `error` unless named. */
  readonly status?: FailureStatus;
  /** The same call may work later; the catalogue's word unless named. */
  readonly retryable?: boolean;
}

/** A failure meant for the model: a tool throws it, the host turns it into a result. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;
  readonly type: ErrorType;
  readonly status: FailureStatus;
  readonly retryable: boolean;
  readonly settled: boolean;
  readonly suggestion: string | undefined;
  readonly details: { readonly [name: string]: unknown } | undefined;
  readonly parameters: { readonly [name: string]: unknown } | undefined;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: CoreErrorCode | (string & {}), message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const known = CORE_CODES.get(code);
    this.code = code;
    this.type = known?.type ?? options.type ?? "user_error";
    this.status = known?.status ?? options.status ?? "error";
    this.retryable = options.retryable ?? known?.retryable ?? false;
    this.settled = options.settled ?? true;
    this.suggestion = options.suggestion;
    this.details = options.details;
    this.parameters = options.parameters;
  }

  /** Recognises a `ToolError` from any copy of this package. */
  static is(value: unknown): value is ToolError {
    return isBrandedError(value, BRAND);
  }
}

/** Makes an error whose type, status and retryability come from a catalogue. */
export type ToolErrorFactory<Code extends string> = (
  code: Code,
  message: string,
  options?: Omit<ToolErrorOptions, "type" | "status">,
) => ToolError;

/** Declares a package's own codes; its factory also makes errors of the core catalogue. */
export function defineErrorCodes<const Catalogue extends ErrorCatalogue>(
  catalogue: Catalogue,
): ToolErrorFactory<(keyof Catalogue & string) | CoreErrorCode> {
  const own = new Map<string, ErrorCode>(Object.entries(catalogue));
  return (code, message, options) => new ToolError(code, message, { ...own.get(code), ...options });
}

const CORE_CODES: ReadonlyMap<string, ErrorCode> = new Map(Object.entries(ERROR_CODES));
