import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputLines } from "./output-lines.ts";

describe("OutputLines", () => {
  it("gives the same lines however the output is cut into pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,6}$/u)), (pieces) => {
        const whole = new OutputLines();
        const cut = new OutputLines();
        expect([...pieces.flatMap((piece) => cut.add(piece)), ...cut.end()]).toEqual([
          ...whole.add(pieces.join("")),
          ...whole.end(),
        ]);
      }),
    );
  });

  it("shows the first lines and counts the others", () => {
    const output = new OutputLines();
    expect(output.any).toBe(false);
    expect(output.add("x\n".repeat(25))).toHaveLength(20);
    expect(output.add("more")).toEqual([]);
    expect(output.end()).toEqual(["… 6 more lines"]);
    expect(output.any).toBe(true);
  });

  it("keeps the beginning of a line that does not end", () => {
    const output = new OutputLines();
    for (let index = 0; index < 100; index += 1) output.add("y".repeat(1000));
    expect(output.end()[0]).toHaveLength(2000);
  });
});
