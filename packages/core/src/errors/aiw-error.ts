import { isBrandedError } from "./is-branded-error.ts";

const BRAND = Symbol.for("@aiw/core/aiw-error");

/** Codes of host failures: wrong use, wrong configuration, unusable packages. */
export const HOST_ERROR_CODES = {
  tool_not_found: "No registered tool answers to the name.",
  project_required: "The registry belongs to no project that could be watched or searched.",
  tool_name_taken: "A tool of that name is registered and `override` was not given.",
  tool_ambiguous: "Two packages offer the same tool name and duplicates are refused.",
  tool_definition_invalid: "A tool's own definition is not one a host can offer.",
  schema_not_convertible: "A Standard Schema cannot give JSON Schema.",
  contract_version_unsupported: "A tool or package speaks a newer contract than this host.",
  project_manifest_invalid: "The project's package.json cannot be read.",
  pnp_not_active: "The project uses Plug'n'Play but the process runs without its loader.",
  config_invalid: "The configuration has a wrong value.",
  lock_missing: "The lock must hold and there is none, or something it does not pin would run.",
  lock_invalid: "The lock cannot be read, or is not one that this version writes.",
  lock_drift: "What is installed is not what the lock pins.",
  lock_not_writable: "No lock that leaves nothing out can be written.",
  toolset_unknown: "No toolset of the name is configured.",
  trust_store_invalid: "The record of what a person trusts cannot be believed or written.",
  package_not_buildable: "A folder is no tool package whose manifest could be made.",
  build_outdated: "A package's built module is missing, or older than its source.",
  build_failed: "The build script of a package under development failed.",
  compiler_unavailable: "Functions have to be compiled, and what compiles them is not there.",
  command_failed: "The program that tools under development are served to cannot be started.",
  dev_running: "Another process serves the package already.",
  manifest_not_writable: "No static manifest can be written for the package.",
  package_change_failed: "Packages could not be added or removed; the project's files are as before.",
  package_change_running: "Another process adds or removes packages of the project.",
  audit_failed: "The record of calls cannot be read or written.",
  audit_not_configured: "No record of calls is configured.",
  extension_unavailable: "What stands around calls needs a package that is not there.",
  load_failed: "A tool's code could not be loaded.",
  format_unsupported: "No definitions can be compiled to the format.",
  too_many_tools: "More tools are offered than the provider takes in one request.",
  session_closed: "The conversation has ended.",
} as const;

/** A code of the host catalogue. */
export type HostErrorCode = keyof typeof HOST_ERROR_CODES;

/** What a host failure says beyond its code and message. */
export interface AiwErrorOptions {
  /** A command or an edit with real values. */
  readonly fix?: string;
  readonly cause?: unknown;
  readonly details?: { readonly [name: string]: unknown };
}

/** A failure of the host, never shown to a model. */
export class AiwError extends Error {
  override readonly name: string = "AiwError";
  readonly code: HostErrorCode;
  readonly fix: string | undefined;
  readonly details: { readonly [name: string]: unknown } | undefined;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: HostErrorCode, message: string, options: AiwErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
    this.details = options.details;
  }

  /** Recognises an `AiwError` from any copy of this package. */
  static is(value: unknown): value is AiwError {
    return isBrandedError(value, BRAND);
  }
}
