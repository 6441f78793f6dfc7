import { describe, expect, it } from "vitest";
import { fromFileResource, toFileResource, toFolderResource } from "./resource-names.ts";

describe("fromFileResource", () => {
  it("gives the path of a file back, and nothing for what is no file", () => {
    expect(fromFileResource(toFileResource("/srv/a b:c.ts"))).toBe("/srv/a b:c.ts");
    expect(fromFileResource(toFolderResource("/srv"))).toBeUndefined();
    expect(fromFileResource("db:orders")).toBeUndefined();
    expect(fromFileResource("file:")).toBeUndefined();
  });
});
