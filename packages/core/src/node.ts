/// <reference lib="esnext.disposable" preserve="true" />
/** Hosts enter here on Node: tools are found on disk, files are opened inside the workspace. */
export { discoverTools, type DiscoverToolsOptions } from "./discover/discover-tools.ts";
export { inspectLayout, type CoreCopy, type LayoutKind, type ProjectLayout } from "./discover/locate/inspect-layout.ts";
export { listTools, type ToolListing } from "./discover/list-tools.ts";
export { getToolRegistry, type GetToolRegistryOptions } from "./discover/get-tool-registry.ts";
export { compareLock, type LockDifference, type LockDifferenceKind } from "./discover/lock/compare-lock.ts";
export { createLock, type CreatedLock, type CreateLockOptions } from "./discover/lock/create-lock.ts";
export { describeDifferences } from "./discover/lock/describe-difference.ts";
export { isPublishedEntry } from "./discover/lock/hash-folder.ts";
export { LOCK_FILE, type AiwLock, type LockedPackage, type LockedTool } from "./discover/lock/lock-file.ts";
export { readLock } from "./discover/lock/read-lock.ts";
export { writeLock, type LockWriterFileSystem } from "./discover/lock/write-lock.ts";
export { loadToolCode } from "./discover/load/load-tool-code.ts";
export { renderManifest, type ManifestOptions, type RenderedManifest } from "./discover/manifest/render-manifest.ts";
export { writeManifest, type WrittenManifest } from "./discover/manifest/write-manifest.ts";
export {
  readProjectConfig,
  type ProjectConfig,
  type ProjectConfigOptions,
} from "./discover/configuration/read-project-config.ts";
export { createTrustStore } from "./config/trust/create-trust-store.ts";
export { ANY_CONTENT, type TrustProblem, type TrustRecord, type TrustStore } from "./config/trust/trust-store.ts";
export { joinWorkspace, type JoinWorkspaceOptions } from "./config/join-workspace.ts";
export { mergeConfigs } from "./config/merge-configs.ts";
export { resolveSecrets, type Environment } from "./config/resolve-secrets.ts";
export { validateConfig, type ConfigIssue, type ValidateConfigOptions } from "./config/validate-config.ts";
export { etagOfBytes, etagOfFile, STRONG_ETAG_BYTES } from "./workspace/etag.ts";
export { startDeadline, type Deadline, type DeadlineOptions } from "./net/deadline.ts";
export { parseHostPattern, type HostPattern } from "./net/host-pattern.ts";
export { nodePorts, type NetworkPorts } from "./net/network-ports.ts";
export { parseUrl, type ParseUrlOptions, type WebTarget } from "./net/parse-url.ts";
export { ACCEPT_ENCODING, readBody, tooLarge, type ReadBodyOptions } from "./net/read-body.ts";
export { headersForTarget, isRedirect, resolveRedirect } from "./net/resolve-redirect.ts";
export { parseRetryAfter } from "./net/retry-after.ts";
export { sendRequest, toNetworkError, type HopRequest, type HopResponse } from "./net/send-request.ts";
export { createTargetPolicy, type TargetPolicy, type TargetRules } from "./net/target-policy.ts";
export type { ConnectionOptions } from "./net/open-connection.ts";
export { buildEnvironment, type EnvironmentOptions, type ProcessEnvironment } from "./process/build-environment.ts";
export { isCosmeticVariable, isOwnVariable, isPowerfulVariable } from "./process/environment-names.ts";
export { createOutputCollector, type CollectedOutput, type OutputCollector } from "./process/collect-output.ts";
export type { KeptText, ShownText } from "./process/kept-text.ts";
export { createSecretMask } from "./process/mask-secrets.ts";
export { runProcess, type RunOutcome, type RunRequest } from "./process/run-process.ts";
export { applyChanges, revertChanges } from "./journal/apply-changes.ts";
export { changeJournal } from "./journal/change-journal-key.ts";
export { listChangeJournals, type ListedJournal } from "./journal/list-change-journals.ts";
export type { ChangeJournalOptions } from "./journal/store/journal-folder.ts";
export { openChangeJournal } from "./journal/open-change-journal.ts";
export type { StoredJournal } from "./journal/stored-journals.ts";
export type { FileContent } from "./workspace/stage-temporary.ts";
export type {
  ChangeJournal,
  JournalEntry,
  JournalList,
  RevertConflict,
  RevertedChange,
  RevertReport,
  RevertRequest,
} from "./journal/change-journal.ts";
export type {
  AppliedChange,
  ChangeOutcome,
  ChangeRequest,
  CopyChange,
  DeleteChange,
  LineCounts,
  MoveChange,
  PlannedChange,
  WriteChange,
} from "./journal/change-request.ts";
export { expandBraces } from "./glob/expand-braces.ts";
export { findSetEnd, toGlobTokens, type CharacterRange, type GlobToken } from "./glob/glob-tokens.ts";
export { matchPath, mayMatchBelow, type MatchOptions } from "./glob/match-path.ts";
export {
  hasFolders,
  MOST_BRANCHES,
  parseGlob,
  toBranch,
  tooManyBranches,
  type GlobBranch,
  type GlobProblem,
  type GlobSegment,
  type ParsedGlob,
} from "./glob/parse-glob.ts";
export type { FileFacts, FileKind } from "./confine/file-facts.ts";
export type { FileSystemPort } from "./confine/file-system-port.ts";
export type { RaceProtection } from "./confine/held-entry.ts";
export type { MakeDirectoryOptions } from "./workspace/make-directories.ts";
export type { CopyOptions, RenameOptions, TransferOutcome } from "./workspace/transfer-ends.ts";
export type { OpenedFile, ReadFile } from "./workspace/open-in-root.ts";
export { findDenyProblem } from "./confine/deny-pattern.ts";
export { listRuledPlaces, type RuledPlaces } from "./confine/list-ruled-places.ts";
export { isProtectedName } from "./confine/protected-names.ts";
export { findStateFolder } from "./confine/state-folder.ts";
export type { DirectoryEntry, DirectoryListing, ReadDirectoryOptions } from "./workspace/read-directory.ts";
export type { RemoveOptions } from "./workspace/remove-entry.ts";
export { isStartupFile } from "./confine/startup-files.ts";
export {
  openWorkspace,
  type FileStat,
  type OpenWorkspaceOptions,
  type ReadFileOptions,
  type Workspace,
} from "./workspace/workspace.ts";
export type { WriteNotice, WriteOptions, WriteOutcome } from "./workspace/write-atomically.ts";
