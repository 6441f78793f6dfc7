import { describe, expect, it } from "vitest";
import { fakeIo, type FakeWorld } from "../../__fixtures__/fake-io.ts";
import { printValue } from "./print-value.ts";

function print(value: unknown, world: FakeWorld = {}): string {
  const fake = fakeIo("/", world);
  printValue(value, fake.io);
  return fake.stdout();
}

const VALUE = { content: "one\ntwo", none: [], notices: ["Dry run: nothing was written."] };
const MEDIA = { attachments: [{ type: "image", media_type: "image/png", data: "aGk=" }] };
const NO_COLOR = { environment: { NO_COLOR: "1" } };

describe("printValue", () => {
  it("gives a pipe the text as it is, and everything else as JSON", () => {
    expect(print("a\r\nb\u001B[31m")).toBe("a\r\nb\u001B[31m\n");
    expect(print(VALUE)).toBe(`${JSON.stringify(VALUE, undefined, 2)}\n`);
  });

  it("gives a terminal what people read", () => {
    expect(print("a\r\nb\u001B[31m\n", { terminal: true })).toBe("a\nb\\u{1b}[31m\n");
    expect(print(VALUE, { terminal: true, ...NO_COLOR })).toBe(
      "content: |\n  one\n  two\nnotices: Dry run: nothing was written.\n",
    );
  });

  it("says how long media are", () => {
    expect(print(MEDIA, { terminal: true, ...NO_COLOR })).toBe(
      "attachments:\n  - type: image, media_type: image/png, data: (4 characters of base64)\n",
    );
    expect(print(MEDIA)).toContain('"(4 characters of base64)"');
  });

  it("fits lists to the terminal", () => {
    const value = { paths: ["a".repeat(20), "b".repeat(20)] };
    expect(print(value, { terminal: true, columns: 60, ...NO_COLOR }).trimEnd()).not.toContain("\n");
    expect(print(value, { terminal: true, columns: 40, ...NO_COLOR })).toMatch(/^paths:\n {2}- a+\n {2}- b+\n$/u);
  });

  it.each([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
    [{ TERM: "dumb" }, false],
    [{ TERM: "xterm" }, true],
  ])("colours a terminal with %j: %s", (environment, isColoured) => {
    expect(print({ a: 1 }, { terminal: true, environment }).includes("\u001B[")).toBe(isColoured);
  });
});
