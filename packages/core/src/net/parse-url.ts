import { toAddressBytes } from "./address-bytes.ts";
import { ToolError, type ToolErrorOptions } from "../errors/tool-error.ts";

const MAX_URL_LENGTH = 8192;

// Ports the Fetch standard refuses (https://fetch.spec.whatwg.org/#port-blocking): other protocols that a request could be mistaken for.
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** One parsed address; every check and the request itself read these fields and nothing else. */
export interface WebTarget {
  /** Without fragment, user-info and the final dot of its name. */
  readonly url: URL;
  /** Lower case, without brackets and final dot. */
  readonly hostname: string;
  readonly port: number;
  /** The name is an IP address, so no lookup will happen. */
  readonly isLiteral: boolean;
}

/** How an address is read. */
export interface ParseUrlOptions {
  readonly base?: URL;
  /** Writes the call that a failure suggests. */
  readonly toCall?: (url: string) => string;
}

/**
 * Parses an address once (SEC-NET-1).
 * @throws ToolError `invalid_url` or `blocked_url`.
 */
export function parseUrl(input: string, { base, toCall }: ParseUrlOptions = {}): WebTarget {
  const suggest = (url: string): ToolErrorOptions => (toCall === undefined ? {} : { suggestion: toCall(url) });
  if (input.length > MAX_URL_LENGTH) {
    throw new ToolError(
      "invalid_url",
      `The URL has ${input.length} characters; at most ${MAX_URL_LENGTH} are accepted.`,
    );
  }
  if (hasControlCharacter(input)) {
    throw new ToolError("invalid_url", "The URL contains a control character.", suggest("https://example.com/"));
  }
  const url = URL.parse(input, base?.href);
  if (url === null) {
    throw new ToolError(
      "invalid_url",
      `Not an absolute http or https URL: ${shorten(input)}`,
      suggest(guessUrl(input)),
    );
  }
  assertPlainWeb(url, suggest);
  return toTarget(url);
}

function assertPlainWeb(url: URL, suggest: (url: string) => ToolErrorOptions): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ToolError("blocked_url", `Only http and https URLs are fetched, not ${shorten(url.protocol)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError(
      "blocked_url",
      "URLs with a user name or password are refused.",
      suggest(shorten(`${url.protocol}//${url.host}${url.pathname}${url.search}`)),
    );
  }
}

function toTarget(url: URL): WebTarget {
  const bare = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  const hostname = bare.endsWith(".") ? bare.slice(0, -1) : bare;
  if (hostname === "" || hostname.split(".").includes("")) {
    throw new ToolError("invalid_url", `The host name has an empty label: ${shorten(url.hostname)}`);
  }
  const port = url.port === "" ? defaultPort(url) : Number(url.port);
  if (BLOCKED_PORTS.has(port)) {
    throw new ToolError("blocked_url", `Port ${port} belongs to another protocol and is refused.`);
  }
  if (bare !== hostname) url.hostname = hostname;
  url.hash = "";
  return { url, hostname, port, isLiteral: toAddressBytes(hostname) !== undefined };
}

function defaultPort(url: URL): number {
  return url.protocol === "https:" ? 443 : 80;
}

/** The WHATWG parser silently drops tabs and line breaks, so what was approved would not be what is fetched. */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function guessUrl(input: string): string {
  const guess = URL.parse(`https://${input.trim().replace(/^\/+/, "")}`);
  return guess !== null && guess.hostname.includes(".") ? shorten(guess.href) : "https://example.com/";
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
