import { describe, expect, it } from "vitest";
import { readFilter } from "./read-filter.ts";

describe("readFilter", () => {
  it("says where codes go for a status that is none", () => {
    expect(() => readFilter({ status: "approval_denied" }, 0)).toThrow(/not "approval_denied"\. .*--code CODE$/);
  });
});
