import { webError } from "../errors.ts";

/** How a body is turned into text. */
export type ContentKind = "html" | "text";

/** A Content-Type header, read. */
export interface ContentType {
  /** Lower case, without parameters; empty when absent or unreadable. */
  readonly mediaType: string;
  readonly charset: string | undefined;
}

const HTML_TYPES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);
const TEXT_TYPES: ReadonlySet<string> = new Set([
  "application/json",
  "application/ld+json",
  "application/ndjson",
  "application/x-ndjson",
  "application/jsonl",
  "application/xml",
  "application/javascript",
  "application/x-javascript",
  "application/ecmascript",
  "application/typescript",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/sql",
  "application/graphql",
  "application/x-sh",
  "application/rtf",
  "application/x-httpd-php",
  "application/x-www-form-urlencoded",
  "message/rfc822",
  "image/svg+xml",
]);
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/unknown",
  "unknown/unknown",
  "*/*",
]);
const SNIFF_BYTES = 1024;

/** Reads a Content-Type header. */
export function parseContentType(header: string | undefined): ContentType {
  const [type = "", ...parameters] = (header ?? "").slice(0, 1000).split(";");
  const mediaType = type.trim().toLowerCase();
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^"'\s;]+)/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { mediaType: /^[\w.+*-]+\/[\w.+*-]+$/.test(mediaType) ? mediaType : "", charset };
}

/**
 * Refuses types that no text comes of, before their body is read.
 * @throws ToolError `unsupported_content`.
 */
export function assertReadableType(header: string | undefined): void {
  const { mediaType } = parseContentType(header);
  if (!isHtml(mediaType) && !isText(mediaType) && !UNKNOWN_TYPES.has(mediaType)) throw unsupported(mediaType);
}

/**
 * Decides by type and first bytes how a body is read; a declared type does not make binary data text.
 * @throws ToolError `unsupported_content`.
 */
export function resolveContentKind(mediaType: string, body: Uint8Array): ContentKind {
  if (looksBinary(body)) throw unsupported(mediaType);
  if (isHtml(mediaType)) return "html";
  if (isText(mediaType)) return "text";
  return looksLikeHtml(body) ? "html" : "text";
}

function isHtml(mediaType: string): boolean {
  return HTML_TYPES.has(mediaType);
}

function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    TEXT_TYPES.has(mediaType) ||
    mediaType.endsWith("+json") ||
    mediaType.endsWith("+xml") ||
    mediaType.endsWith("+yaml")
  );
}

function looksLikeHtml(body: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(body.subarray(0, SNIFF_BYTES)).trimStart().toLowerCase();
  return ["<!doctype html", "<html", "<head", "<body", "<title", "<meta charset"].some((mark) => start.includes(mark));
}

/** NUL stands in no text but UTF-16 and UTF-32, whose byte order mark says so; PDF may start without one. */
function looksBinary(body: Uint8Array): boolean {
  const start = body.subarray(0, SNIFF_BYTES * 4);
  const [first, second] = start;
  const hasUtf16Mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isPdf = [0x25, 0x50, 0x44, 0x46, 0x2d].every((byte, index) => start[index] === byte);
  return isPdf || (start.includes(0) && !hasUtf16Mark);
}

function unsupported(mediaType: string): Error {
  const what = mediaType === "" ? "data that is not text" : mediaType;
  return webError("unsupported_content", `The response is ${what}, which cannot be shown as text.`, {
    details: { ...(mediaType !== "" && { content_type: mediaType }) },
    suggestion: "Look for an HTML, Markdown or plain-text version of the same content.",
  });
}
