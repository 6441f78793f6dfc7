import { toAddressBytes } from "./address-bytes.ts";

/** A host as an operator writes it, with an optional port. */
export interface HostPattern {
  /** Lower case, without brackets and final dot; after `*.` when `subdomains`. */
  readonly hostname: string;
  /** Matches every name below `hostname`, not `hostname` itself. */
  readonly subdomains: boolean;
  /** Absent matches every port. */
  readonly port?: number;
}

const AUTHORITY = /^(?<host>\[[0-9a-fA-F:.]+\]|[^\s/\\?#@:*[\]]+)(?::(?<port>[1-9]\d{0,4}))?$/;

/** Reads `host`, `host:port`, `*.host`, `[v6]:port` or `v6`; gives nothing for anything else. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const subdomains = text.startsWith("*.");
  const rest = subdomains ? text.slice(2) : text;
  const parts = AUTHORITY.exec(toAddressBytes(rest)?.length === 16 ? `[${rest}]` : rest)?.groups;
  const hostname = toHostname(parts?.["host"] ?? "");
  if (hostname === undefined || (subdomains && toAddressBytes(hostname) !== undefined)) return undefined;
  if (parts?.["port"] === undefined) return { hostname, subdomains };
  const port = Number(parts["port"]);
  return port > 65_535 ? undefined : { hostname, subdomains, port };
}

/** Compares whole labels, so that neither `notx.y` nor `x.y.evil` passes for `x.y` (SEC-NET-6). */
export function matchesHost(pattern: HostPattern, hostname: string, port: number): boolean {
  if (pattern.port !== undefined && pattern.port !== port) return false;
  if (!pattern.subdomains) return pattern.hostname === hostname;
  const labels = hostname.split(".");
  const suffix = pattern.hostname.split(".");
  return (
    labels.length > suffix.length &&
    suffix.every((label, index) => label === labels[labels.length - suffix.length + index])
  );
}

function toHostname(host: string): string | undefined {
  const parsed = URL.parse(`http://${host}/`)?.hostname;
  if (parsed === undefined) return undefined;
  const bare = parsed.startsWith("[") ? parsed.slice(1, -1) : parsed;
  const hostname = bare.endsWith(".") ? bare.slice(0, -1) : bare;
  return hostname === "" || hostname.split(".").includes("") ? undefined : hostname;
}
