/** Authors and hosts enter here, on any runtime. */
export type { Json, JsonObject, JsonSchema } from "./contract/json.ts";
export {
  CONTRACT_VERSION,
  isTool,
  isToolPackage,
  type Assessment,
  type Parse,
  type ParseIssue,
  type Parsed,
  type Tool,
  type ToolOutput,
  type ToolPackage,
} from "./contract/tool.ts";
export type {
  InputAnswer,
  InputRequest,
  Session,
  SessionKey,
  SessionKeyContext,
  Suspension,
  ToolContext,
  ToolLog,
  ToolProgress,
  UntypedOptions,
  WorkspaceRoots,
} from "./contract/tool-context.ts";
export type {
  Attachment,
  CallRecord,
  ErrorType,
  FailureStatus,
  Principal,
  ToolFailure,
  ToolResult,
  ToolResultStatus,
  ToolSuccess,
  Truncation,
} from "./contract/tool-result.ts";
export type { ToolEntry, ToolOrigin, ToolSource } from "./contract/tool-source.ts";
export {
  MAX_DESCRIPTION_LENGTH,
  TOOL_NAME_PATTERN,
  type ToolEffects,
  type ToolExample,
  type ToolInstructions,
  type ToolMetadata,
  type ToolSpec,
} from "./contract/tool-spec.ts";
export { defineTool, type ToolDefinition } from "./define/define-tool.ts";
export { defineToolPackage, type ToolPackageDefinition } from "./define/define-tool-package.ts";
export { sessionKey, type SessionKeyDefinition } from "./define/session-key.ts";
export type { EffectsDefinition } from "./define/tool-effects.ts";
export type { ToolFacts } from "./define/tool-facts.ts";
export { AiwError, HOST_ERROR_CODES, type AiwErrorOptions, type HostErrorCode } from "./errors/aiw-error.ts";
export { ERROR_CODES, type CoreErrorCode, type ErrorCatalogue, type ErrorCode } from "./errors/error-codes.ts";
export { ToolError, defineErrorCodes, type ToolErrorFactory, type ToolErrorOptions } from "./errors/tool-error.ts";
export { ToolNotFoundError } from "./errors/tool-not-found-error.ts";
export { toCanonicalJson } from "./schema/canonical-json.ts";
export type { InferJsonSchema, InferSchema } from "./schema/infer-schema.ts";
export { toJsonSchema, type ToolSchema } from "./schema/to-json-schema.ts";
export { isToolSpec, validateSpec, type SpecIssue } from "./schema/validate-spec.ts";
