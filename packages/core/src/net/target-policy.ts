import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { classifyAddress, isSameAddress } from "./classify-address.ts";
import { matchesHost, parseHostPattern, type HostPattern } from "./host-pattern.ts";
import type { WebTarget } from "./parse-url.ts";

/** What an operator allows and refuses, as {@link parseHostPattern} reads it. */
export interface TargetRules {
  /** Targets that are reached although they are not public. */
  readonly allowPrivate: readonly string[];
  /** When given, the only hosts that are reached; an empty list reaches none. */
  readonly allowedHosts?: readonly string[];
  readonly blockedHosts?: readonly string[];
  /** Where an operator finds the list of `allowPrivate`, for advice. */
  readonly setting: string;
}

/** Decides about names before a lookup and about addresses before a handshake. */
export interface TargetPolicy {
  /** @throws ToolError `blocked_url` or `blocked_address`. */
  assertTarget(target: WebTarget): void;
  /** @throws ToolError `blocked_address` unless the address is public or allowed for this target. */
  assertAddress(target: WebTarget, address: string): void;
}

/** What the operator allows beyond public addresses. */
interface Grants {
  readonly patterns: readonly HostPattern[];
  readonly setting: string;
}

// Names that never leave the machine or the local network (RFC 6761, 6762, 8375 and the reserved `internal`).
const LOCAL_NAMES: readonly HostPattern[] = [
  "localhost",
  "*.localhost",
  "localhost.localdomain",
  "*.localdomain",
  "*.local",
  "*.internal",
  "*.home.arpa",
].flatMap(toPatterns);

const METADATA_NAMES: readonly HostPattern[] = [
  "metadata",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.goog",
  "metadata.google.internal",
].flatMap(toPatterns);

/**
 * Makes the policy of one configuration.
 * @throws AiwError `config_invalid` for a host that cannot be read.
 */
export function createTargetPolicy({ allowedHosts, blockedHosts = [], ...rules }: TargetRules): TargetPolicy {
  const grants: Grants = { patterns: rules.allowPrivate.flatMap(toPatterns), setting: rules.setting };
  const allowed = allowedHosts?.flatMap(toPatterns);
  const blocked = blockedHosts.flatMap(toPatterns);
  return {
    assertTarget(target) {
      assertHostRules(target, { allowed, blocked });
      if (target.isLiteral) return assertAddress(target, target.hostname, grants);
      // An operator's own host may have such a name; its address is looked at too.
      if (isAllowedName(target, grants)) return;
      if (isNamed(target, METADATA_NAMES)) throw metadataTarget(target);
      if (isNamed(target, LOCAL_NAMES)) throw privateTarget(target, "is a name of this machine or its network", grants);
    },
    assertAddress: (target, address) => assertAddress(target, address, grants),
  };
}

function assertHostRules(
  { hostname, port }: WebTarget,
  rules: {
    readonly allowed: readonly HostPattern[] | undefined;
    readonly blocked: readonly HostPattern[];
  },
): void {
  const isListed = (pattern: HostPattern): boolean => matchesHost(pattern, hostname, port);
  if (rules.blocked.some(isListed)) {
    throw new ToolError("blocked_url", `The operator has blocked ${hostname}.`);
  }
  if (rules.allowed?.some(isListed) === false) {
    throw new ToolError("blocked_url", `${hostname} is not among the hosts the operator allows.`);
  }
}

function assertAddress(target: WebTarget, address: string, grants: Grants): void {
  const kind = classifyAddress(address);
  if (kind === "public") return;
  if (grants.patterns.some((pattern) => isAllowedAddress(pattern, { address, port: target.port }))) return;
  // A trusted name that is pointed at a metadata service is an attack, so only the address itself allows one.
  if (kind === "metadata") throw metadataTarget(target);
  if (kind === "unreadable") throw unreadableTarget(target);
  if (isAllowedName(target, grants)) return;
  throw privateTarget(target, `${target.isLiteral ? "is" : "resolves to"} a ${kind} address`, grants);
}

function isAllowedAddress(pattern: HostPattern, { address, port }: { address: string; port: number }): boolean {
  return isSameAddress(pattern.hostname, address) && (pattern.port === undefined || pattern.port === port);
}

function isAllowedName(target: WebTarget, { patterns }: Grants): boolean {
  return !target.isLiteral && patterns.some((pattern) => matchesHost(pattern, target.hostname, target.port));
}

function isNamed({ hostname, port }: WebTarget, patterns: readonly HostPattern[]): boolean {
  return patterns.some((pattern) => matchesHost(pattern, hostname, port));
}

function privateTarget({ hostname, port }: WebTarget, what: string, { setting }: Grants): Error {
  const entry = hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
  return new ToolError("blocked_address", `${hostname} ${what}; the operator may allow it.`, {
    suggestion: `Ask the operator to add ${JSON.stringify(entry)} to ${setting}.`,
  });
}

/** Who leads here wants the machine's credentials, or wants the model to ask for them: nothing is said of allowing it. */
function metadataTarget({ hostname, isLiteral }: WebTarget): Error {
  const what = isLiteral ? "is an address" : "leads to an address";
  return new ToolError(
    "blocked_address",
    `${hostname} ${what} of a metadata service, which keeps the machine's credentials.`,
    {
      suggestion: "Go on without this address; nothing else needs it.",
    },
  );
}

/** No entry can allow what cannot be read as an address. */
function unreadableTarget({ hostname }: WebTarget): Error {
  return new ToolError("blocked_address", `${hostname} resolves to an address that cannot be read.`);
}

/** A pattern that nobody can read must not silently protect or allow nothing. */
function toPatterns(text: string): readonly HostPattern[] {
  const pattern = parseHostPattern(text);
  if (pattern !== undefined) return [pattern];
  throw new AiwError("config_invalid", `${JSON.stringify(text)} names no host.`, {
    fix: "Write host, host:port, *.host or [IPv6]:port.",
  });
}
