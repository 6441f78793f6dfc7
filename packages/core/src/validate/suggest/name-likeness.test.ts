import { describe, expect, it } from "vitest";
import { nameLikeness } from "./name-likeness.ts";

describe("nameLikeness", () => {
  it.each([
    ["filePath", "file_path", 5],
    ["FILE-PATH", "file_path", 5],
    ["filename", "file_name", 5],
    ["pattern", "patterns", 5],
    ["queries", "query", 5],
    ["classes", "class", 5],
    ["directory", "path", 4],
    ["file_path", "path", 4],
    ["old_string", "old_text", 4],
    ["source", "from", 4],
    ["limt", "limit", 3],
    ["absolute_path", "path", 2],
    ["context_lines", "context", 2],
    ["expected_count", "expected_etag", 1],
    ["limit", "path", 0],
    ["exclude_paths", "paths", 0],
    ["no_overwrite", "overwrite", 0],
    ["case_insensitive", "case_sensitive", 0],
    ["doNotFollow", "follow", 0],
    ["ignore_paths", "exclude_path", 1],
    ["ilmit", "limit", 0],
    ["", "path", 0],
    ["-i", "path", 0],
    ["x".repeat(100_000), "path", 0],
  ] as const)("%s means %s by %d", (name, declared, likeness) => {
    expect(nameLikeness(name, declared)).toBe(likeness);
  });
});
