import { findUndescribed } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { compileWhole } from "../__fixtures__/compile-source.ts";

interface Said {
  readonly line: number;
  readonly message: string;
  readonly fix: string;
}

function listSaid(source: string): readonly Said[] {
  const { diagnostics, tools } = compileWhole(source);
  expect(tools, JSON.stringify(diagnostics)).toHaveLength(1);
  const said = diagnostics.filter(({ code }) => code === "parameter_undescribed");
  expect(said.every(({ severity }) => severity === "warning")).toBe(true);
  // The build says something exactly where the check does.
  expect(said.length > 0).toBe(findUndescribed(tools[0]?.spec.inputSchema ?? {}).length > 0);
  return said;
}

describe("reportUndescribed", () => {
  it("points at each parameter of which nothing is said, a rest parameter too, and says what to write", () => {
    const said = listSaid(`/**
 * A.
 * @param b - B.
 * @effects pure
 */
export function f(
  a: string,
  b: string,
  ...rest: string[]
): void {}`);
    expect(said).toMatchObject([
      { line: 7, message: expect.stringContaining("what a is"), fix: expect.stringContaining("@param a - ") },
      { line: 9, message: expect.stringContaining("what rest is"), fix: expect.stringContaining("@param rest - ") },
    ]);
  });

  it("points at members where they are declared, once for a type that is used twice", () => {
    const said = listSaid(`interface Point {
  /** X. */ x: number;
  y: number;
}
/**
 * A.
 * @param from - F.
 * @param to - T.
 * @effects pure
 */
export function f(from: Point, to: Point[]): void {}`);
    expect(said).toMatchObject([{ line: 3, fix: expect.stringMatching(/above it, or a line @param from\.y - /) }]);
  });

  it("names members of the one object by a line that is understood", () => {
    const source = (line: string): string => `/**
 * A.
 *${line}
 * @effects pure
 */
export function f(options: { a: { b: string; /** C. */ c: number } }): void {}`;
    const [first] = listSaid(source(" @param options.a - A."));
    expect(first?.fix).toContain("@param options.a.b - ");
    expect(listSaid(source(" @param options.a - A.\n * @param options.a.b - B."))).toEqual([]);
  });

  it("takes one description for members that come from a list of names, and says how to write it", () => {
    const source = (comment: string): string => `/**
 * A.
 * ${comment}
 * @effects pure
 */
export function f(counts: Partial<Record<"k" | "l", number>>, more = 1): void {}`;
    const [first] = listSaid(source("@param more - M."));
    expect(first).toMatchObject({ line: 6, fix: expect.stringContaining("@param counts - ") });
    expect(listSaid(source("@param counts - How many.\n * @param more - M."))).toEqual([]);
  });

  it("points at what holds a member that is declared nowhere", () => {
    const said = listSaid(`/**
 * A.
 * @param counts - C.
 * @effects pure
 */
export function f(
  counts: Record<"k", number>,
): void {}`);
    expect(said).toMatchObject([
      { line: 7, fix: "Write a line @param counts.k - What it is. in the comment of the function." },
    ]);
  });

  it("speaks of no line for members without a name", () => {
    const [said] = listSaid(`/**
 * A.
 * @param all - All.
 * @effects pure
 */
export function f(all: Record<string, { a: string }>): void {}`);
    expect(said?.fix).toBe("Write a comment /** What it is. */ above it.");
  });
});
