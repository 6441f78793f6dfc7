/// <reference lib="esnext.disposable" preserve="true" />
/** Authors and hosts enter here, on any runtime. */
export type {
  AiwConfig,
  DiscoveryConfig,
  PolicyConfig,
  PolicyDecision,
  PolicyMatch,
  PolicyRule,
  SourcesConfig,
  ToolsConfig,
  ToolsetConfig,
} from "./config/aiw-config.ts";
export type { WorkspaceConfig } from "./config/workspace-config.ts";
export type { LimitsConfig, RetryConfig, ToolLimitsConfig } from "./config/limits-config.ts";
export type { ApprovalConfig } from "./config/approval-config.ts";
export type { AuthCondition, AuthConfig, AuthMatch, AuthRole, AuthRule } from "./config/auth-config.ts";
export type { RateLimitConfig, RateLimitRule, RateLimitSubject } from "./config/rate-limit-config.ts";
export type { IsolationConfig, IsolationGrant, IsolationMode } from "./config/isolation-config.ts";
export { resolveIsolation, type ResolvedIsolation } from "./config/resolve-isolation.ts";
export type { ExecutorsConfig, HttpExecutorConfig, ShellExecutorConfig } from "./config/executors-config.ts";
export type { CompiledFunction, CompiledTool } from "./contract/compiled-function.ts";
export type { Json, JsonObject, JsonSchema } from "./contract/json.ts";
export {
  CONTRACT_VERSION,
  TOOL_BRAND,
  TOOL_PACKAGE_BRAND,
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
  TraceContext,
  UntypedOptions,
  WorkspaceRoots,
} from "./contract/tool-context.ts";
export type {
  ArgumentRepair,
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
export type { PinnedCode, ToolCode, ToolEntry, ToolOrigin, ToolSource } from "./contract/tool-source.ts";
export {
  MAX_DESCRIPTION_LENGTH,
  TOOL_NAME_PATTERN,
  type ToolEffects,
  type ToolExample,
  type ToolInstructions,
  type ToolMetadata,
  type ToolSpec,
} from "./contract/tool-spec.ts";
export { adaptTool, type AdaptedFacts } from "./define/adapt-tool.ts";
export { BaseTool, type FunctionDefinition } from "./define/base-tool.ts";
export {
  dataToolOrigin,
  defineDataTool,
  type DataToolDefinition,
  type DataToolOptions,
  type DataToolOrigin,
} from "./define/define-data-tool.ts";
export {
  defineFunction,
  type CompiledFacts,
  type FunctionFacts,
  type ParameterNames,
  type ToolFunction,
} from "./define/define-function.ts";
export {
  tool,
  type MethodOutput,
  type ToolMethodDecorator,
  type ToolMethodFunction,
} from "./define/decorate/tool-decorator.ts";
export type { MethodFacts } from "./define/decorate/method-facts.ts";
export { toolsOf, type ToolsOfOptions } from "./define/decorate/tools-of.ts";
export type { SpecOrEntry } from "./define/compiled/spec-or-entry.ts";
export { defineTool, type ToolDefinition } from "./define/define-tool.ts";
export { defineToolPackage, type ToolPackageDefinition } from "./define/define-tool-package.ts";
export type { FlatFailure, FlatResult, FlatSuccess } from "./define/flat-result.ts";
export { sessionKey, type SessionKeyDefinition } from "./define/session-key.ts";
export type { EffectsDefinition } from "./define/tool-effects.ts";
export type { ToolFacts } from "./define/tool-facts.ts";
export { AiwError, HOST_ERROR_CODES, type AiwErrorOptions, type HostErrorCode } from "./errors/aiw-error.ts";
export { ERROR_CODES, type CoreErrorCode, type ErrorCatalogue, type ErrorCode } from "./errors/error-codes.ts";
export { ToolError, defineErrorCodes, type ToolErrorFactory, type ToolErrorOptions } from "./errors/tool-error.ts";
export { ToolNotFoundError } from "./errors/tool-not-found-error.ts";
export {
  ActivityStream,
  type ActivityEventsOptions,
  type ActivityListener,
  type ActivityStreamOptions,
} from "./observe/activity-stream.ts";
export {
  ACTIVITY_EVENT_TYPES,
  ActivityEventType,
  type ActivityCall,
  type ActivityEvent,
  type ActivityEventData,
  type ActivityEventOf,
} from "./observe/events.ts";
export {
  compileDefinition,
  DEFINITION_FORMATS,
  isDefinitionFormat,
  isOmitted,
  type CompiledDefinition,
  type CompileOptions,
  type DefinitionFinding,
  type DefinitionFormat,
  type OmittedDefinition,
} from "./offer/compile-definition.ts";
export { describeFields, describeParameters, type ParameterDescription } from "./offer/describe-parameters.ts";
export type { Format, Loss } from "./offer/targets/target.ts";
export { hasAttachments } from "./offer/attachments.ts";
export { compileDefinitions, toDefinition, type CompiledDefinitions } from "./offer/to-definition.ts";
export { toJsonValue } from "./offer/to-json-value.ts";
export { toModelResult } from "./offer/to-model-result.ts";
export {
  toAllPromptInstructions,
  toPromptInstructions,
  type PromptInstructionsOptions,
} from "./offer/to-prompt-instructions.ts";
export { toWireId, toWireName, toWireNames, type WireNames } from "./offer/wire-names.ts";
export {
  ChangeHistory,
  type Change,
  type ChangeEntry,
  type ChangeGroup,
  type ChangeList,
  type RevertContext,
  type RevertOutcome,
} from "./record/change-history.ts";
export { FileUses, type FileAccess, type FileUse, type LastUse, type RecordingCall } from "./record/file-uses.ts";
export { fromFileResource, fromFolderResource, toFileResource, toFolderResource } from "./record/resource-names.ts";
export { WorkLog, workLog } from "./record/work-log.ts";
export type { ReportingSource } from "./register/compose-report.ts";
export {
  createBundledSource,
  type BundledPackage,
  type BundledSourceOptions,
  type BundledTool,
} from "./discover/load/create-bundled-source.ts";
export { createEntry } from "./register/create-entry.ts";
export { DISCOVERY_CODES, type DiscoveryCode } from "./register/discovery-codes.ts";
export type {
  DiscoveredProject,
  DiscoveryReport,
  DiscoveryTimes,
  Finding,
  FoundPackage,
  ShadowedName,
  SourceReport,
  ToolRef,
} from "./register/discovery-report.ts";
export type { SpecFilter, ToolCriteria } from "./register/filter-specs.ts";
export type { NamePolicy } from "./register/resolve-names.ts";
export {
  createFindTools,
  type FindToolsInput,
  type FindToolsOptions,
  type FoundTool,
  type FoundTools,
} from "./register/find-tools.ts";
export type { OfferFacts, OfferFilter } from "./register/narrow-names.ts";
export { ToolCatalog, type DefinitionsOptions } from "./register/tool-catalog.ts";
export type { SearchOptions, ToolMatch } from "./register/search-tools.ts";
export { ToolRegistry, type RegisterOptions, type ToolRegistryOptions } from "./register/tool-registry.ts";
export type { RegistryChange, RegistryListener, ToolsChange } from "./register/change-listeners.ts";
export type { StopWatching } from "./register/shared-watch.ts";
export type { ProjectWatch, ProjectWatcher, RegistrySetup, ToolProject } from "./register/tool-project.ts";
export type { TrustRequest } from "./config/trust/trust-request.ts";
export type { AbortSource } from "./run/abort-source.ts";
export { createCallContext, type CallContext } from "./run/call-context.ts";
export type { CallEnvironment } from "./run/call-environment.ts";
export { describeThrown } from "./run/describe-thrown.ts";
export { DEFAULT_GRACE_MS, executeCall, startCall, type ExecuteCallOptions } from "./run/execute-call.ts";
export { runTool, type RunToolOptions } from "./run/run-tool.ts";
export { SessionStore } from "./run/session-store.ts";
export { toLoadError } from "./run/to-load-error.ts";
export { toFailure, toSuccess, type FailedCall } from "./run/settle-call.ts";
export { admitCall, validateCall, type ValidatedCall } from "./run/validate-call.ts";
export { toCanonicalJson } from "./schema/canonical-json.ts";
export { compileSchema, type CompiledSchema, type CompileSchemaOptions } from "./schema/compile-schema.ts";
export type { InferJsonSchema, InferSchema } from "./schema/infer-schema.ts";
export { matchGlob } from "./schema/match-glob.ts";
export { nearestNames } from "./schema/nearest-names.ts";
export { assertKnownOptions } from "./schema/assert-known-options.ts";
export { cursorAt, descend, isSecret, type SchemaCursor } from "./schema/schema-cursor.ts";
export type { SchemaNote } from "./schema/prepare-schema.ts";
export { toJsonSchema, type ToolSchema } from "./schema/to-json-schema.ts";
export { sampleInput } from "./schema/sample/sample-input.ts";
export { escapeHiddenText } from "./schema/hidden-text.ts";
export { toOneLine } from "./schema/to-one-line.ts";
export { definitionHash, resolveDefinitionHash } from "./schema/definition-hash.ts";
export { findUndescribed } from "./schema/find-undescribed.ts";
export { formatExampleCall } from "./schema/example-call.ts";
export { isToolSpec, validateSpec, type SpecIssue } from "./schema/validate-spec.ts";
export { boundInput } from "./validate/bound-input.ts";
export { BoundedInput, type InputFormat } from "./validate/bounded-input.ts";
export { formatCall, type FormatCallOptions } from "./validate/format-call.ts";
export { parseArguments } from "./validate/parse-arguments.ts";
export { validateInput, type ValidateInputOptions } from "./validate/validate-input.ts";
export { validateOutput } from "./validate/validate-output.ts";
