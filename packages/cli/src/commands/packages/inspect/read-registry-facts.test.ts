import { describe, expect, it } from "vitest";
import type { Manager } from "../manager/open-manager.ts";
import { readRegistryFacts, type RegistryFacts } from "./read-registry-facts.ts";

async function read(stdout: string, exitCode = 0): Promise<RegistryFacts | undefined> {
  const run: Manager["run"] = async () => ({ exitCode, stdout, said: "", interrupted: false });
  const options = { cwd: "/", signal: new AbortController().signal };
  return readRegistryFacts({ name: "fx", version: "1.0.0" }, { name: "npm", kind: "npm", run }, options);
}

describe("readRegistryFacts", () => {
  it("writes times anew, whatever text stands beside a date that can be read", async () => {
    const facts = await read(
      '{"time":{"1.0.0":"(\\u001b[2J\\u202e) 2020-01-01 00:00:00 GMT","2.0.0":"soon","3.0.0":5}}',
    );
    expect([...(facts?.times ?? [])]).toEqual([["1.0.0", "2020-01-01T00:00:00.000Z"]]);
    expect(facts?.published).toBe("2020-01-01T00:00:00.000Z");
  });

  it.each([
    ["no JSON", "<html>"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["another version", '{"version":"9.9.9"}'],
    ["another version as a number", '{"version":1}'],
  ])("takes %s for no answer", async (_what, stdout) => {
    expect(await read(stdout)).toBeUndefined();
  });

  it.each([
    '{"time":"now","deprecated":true,"dist":5}',
    '{"time":{"1.0.0":null},"deprecated":"","dist":{"attestations":[]}}',
    '{"time":[["1.0.0"]],"dist":{"attestations":null}}',
  ])("leaves out what has the wrong type: %s", async (stdout) => {
    expect(await read(stdout)).toEqual({ times: new Map() });
  });

  it("takes nothing from a question that failed", async () => {
    expect(await read('{"version":"1.0.0"}', 1)).toBeUndefined();
  });
});
