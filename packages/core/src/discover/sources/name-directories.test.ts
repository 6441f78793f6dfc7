import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { isStaticRequired, nameDirectories } from "./name-directories.ts";

describe("nameDirectories", () => {
  it("orders code, environment and configuration, and says whose word each is", () => {
    const absolute = path.resolve("/srv/tools");
    const environment = { AIWHISPERER_PLUGINS_DIR: [absolute, "", "relative"].join(path.delimiter) };
    const config = { sources: { directories: ["of-host", "of-file"] } };
    const hostConfig = { sources: { directories: ["of-host"] } };
    expect(nameDirectories({ directories: ["code"], environment, config, hostConfig })).toEqual([
      { dir: "code", isTrusted: true },
      { dir: absolute, isTrusted: true },
      { dir: "relative", isTrusted: false },
      { dir: "of-host", isTrusted: true },
      { dir: "of-file", isTrusted: false },
    ]);
  });

  it("vouches for nothing in a configuration whose author is unknown", () => {
    const config = { sources: { directories: ["./tools"] } };
    expect(nameDirectories({ environment: {}, config })).toEqual([{ dir: "./tools", isTrusted: false }]);
    expect(nameDirectories({ environment: { AIWHISPERER_PLUGINS_DIR: "" }, config: {} })).toEqual([]);
  });
});

describe("isStaticRequired", () => {
  const ASKED = { discovery: { requireStatic: true } };
  const DENIED = { discovery: { requireStatic: false } };

  it.each([
    [true, "0", DENIED, true],
    [false, "1", DENIED, true],
    [false, "yes", {}, true],
    [false, "", ASKED, true],
    [undefined, "false", ASKED, true],
    [undefined, " FALSE ", DENIED, false],
    [undefined, "0", {}, false],
    [false, "", DENIED, false],
  ])("the strictest wins: option %s, environment %j, configuration %j: %s", (option, said, config, expected) => {
    expect(isStaticRequired(option, { AIWHISPERER_REQUIRE_STATIC: said }, config)).toBe(expected);
    if (said === "") expect(isStaticRequired(option, {}, config)).toBe(expected);
  });
});
