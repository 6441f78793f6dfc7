import { describe, expect, it } from "vitest";
import { LineWriter } from "./line-writer.ts";

describe("LineWriter", () => {
  it("keeps lines apart from running text", () => {
    let written = "";
    const out = new LineWriter((text) => (written += text));
    out.line("first");
    out.text("run");
    out.text("ning");
    out.text("");
    out.line("second");
    out.text("whole\n");
    out.endLine();
    out.line("third");
    expect(written).toBe("first\nrunning\nsecond\nwhole\nthird\n");
  });
});
