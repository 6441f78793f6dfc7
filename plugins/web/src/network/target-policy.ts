import { webError } from "../errors.ts";
import { classifyAddress, isSameAddress, type AddressClass } from "./classify-address.ts";
import { matchesHost, parseHostPattern, type HostPattern } from "./host-pattern.ts";
import type { WebTarget } from "./parse-url.ts";

/** What an operator allows and refuses; see the package's options. */
export interface TargetRules {
  readonly allow_private: readonly string[];
  readonly allowed_hosts: readonly string[];
  readonly blocked_hosts: readonly string[];
}

/** Decides about names before a lookup and about addresses before a handshake. */
export interface TargetPolicy {
  /** @throws ToolError `blocked_url` or `blocked_address`. */
  assertTarget(target: WebTarget): void;
  /** @throws ToolError `blocked_address` unless the address is public or allowed for this target. */
  assertAddress(target: WebTarget, address: string): void;
}

// Names that never leave the machine or the local network (RFC 6761, 6762, 8375 and the reserved `internal`), and those of metadata services.
const LOCAL_NAMES: readonly HostPattern[] = [
  "localhost",
  "*.localhost",
  "localhost.localdomain",
  "*.localdomain",
  "*.local",
  "*.internal",
  "*.home.arpa",
  "metadata",
  "instance-data",
  "metadata.goog",
].flatMap(toPatterns);

/** Makes the policy of one package configuration. */
export function createTargetPolicy(rules: TargetRules): TargetPolicy {
  const allowPrivate = rules.allow_private.flatMap(toPatterns);
  const allowedHosts = rules.allowed_hosts.flatMap(toPatterns);
  const blockedHosts = rules.blocked_hosts.flatMap(toPatterns);
  return {
    assertTarget(target) {
      assertHostRules(target, {
        allowed: allowedHosts,
        allowedCount: rules.allowed_hosts.length,
        blocked: blockedHosts,
      });
      if (target.isLiteral) assertAddress(target, target.hostname, allowPrivate);
      else if (isLocalName(target) && !isAllowedName(target, allowPrivate)) {
        throw privateTarget(target, "is a name of this machine or its network");
      }
    },
    assertAddress: (target, address) => assertAddress(target, address, allowPrivate),
  };
}

function assertHostRules(
  { hostname, port }: WebTarget,
  rules: {
    readonly allowed: readonly HostPattern[];
    readonly allowedCount: number;
    readonly blocked: readonly HostPattern[];
  },
): void {
  const isListed = (pattern: HostPattern): boolean => matchesHost(pattern, hostname, port);
  if (rules.blocked.some(isListed)) {
    throw webError("blocked_url", `The operator has blocked ${hostname}.`);
  }
  if (rules.allowedCount > 0 && !rules.allowed.some(isListed)) {
    throw webError("blocked_url", `${hostname} is not among the hosts the operator allows.`);
  }
}

function assertAddress(target: WebTarget, address: string, allowPrivate: readonly HostPattern[]): void {
  const kind = classifyAddress(address);
  if (kind === "public") return;
  if (allowPrivate.some((pattern) => isAllowedAddress(pattern, { address, port: target.port }))) return;
  // A trusted name that is pointed at a metadata service is an attack, so only the address itself allows one.
  if (kind !== "metadata" && kind !== "unreadable" && isAllowedName(target, allowPrivate)) return;
  throw privateTarget(target, `${target.isLiteral ? "is" : "resolves to"} ${describe(kind)} address`);
}

function isAllowedAddress(pattern: HostPattern, { address, port }: { address: string; port: number }): boolean {
  return isSameAddress(pattern.hostname, address) && (pattern.port === undefined || pattern.port === port);
}

function isAllowedName(target: WebTarget, allowPrivate: readonly HostPattern[]): boolean {
  return !target.isLiteral && allowPrivate.some((pattern) => matchesHost(pattern, target.hostname, target.port));
}

function isLocalName(target: WebTarget): boolean {
  return LOCAL_NAMES.some((pattern) => matchesHost(pattern, target.hostname, target.port));
}

function privateTarget({ hostname, port }: WebTarget, what: string): Error {
  const entry = hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
  return webError("blocked_address", `${hostname} ${what}; the operator may allow it.`, {
    suggestion: `Ask the operator to add ${JSON.stringify(entry)} to the option allow_private of this package.`,
  });
}

function describe(kind: AddressClass): string {
  return kind === "unreadable" ? "an unreadable" : `a ${kind}`;
}

function toPatterns(text: string): readonly HostPattern[] {
  const pattern = parseHostPattern(text);
  return pattern === undefined ? [] : [pattern];
}
