const BRAND = Symbol.for("@aiw/sandbox/sandbox-error");

/** Codes of this package's failures. */
export const SANDBOX_ERROR_CODES = {
  sandbox_unavailable: "Confinement is required and this machine cannot give it.",
  sandbox_policy_invalid: "What a process may touch is not said, or names what no confined process may see.",
} as const;

/** A code of the catalogue. */
export type SandboxErrorCode = keyof typeof SANDBOX_ERROR_CODES;

/** A failure of the host, never shown to a model. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxErrorCode;
  /** A command or an edit with real values. */
  readonly fix: string;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: SandboxErrorCode, message: string, fix: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }

  /** Recognises a `SandboxError` from any copy of this package. */
  static is(value: unknown): value is SandboxError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
