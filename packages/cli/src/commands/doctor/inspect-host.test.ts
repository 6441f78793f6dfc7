import { describe, expect, it } from "vitest";
import { inspectHost, readHostFacts } from "./inspect-host.ts";

describe("inspectHost", () => {
  it.each([
    ["22.23.3", "warning"],
    ["22.23.4", "ok"],
    ["24.21.9", "warning"],
    ["26.12.1", "ok"],
    ["26.13.0", "ok"],
    ["28.0.0", "ok"],
  ])("judges Node %s: %s", (nodeVersion, level) => {
    expect(inspectHost({ nodeVersion, raceProtection: "closed" })[0]).toMatchObject({ name: "node", level });
  });

  it("says where races with file tools are only narrowed", () => {
    expect(inspectHost({ nodeVersion: "28.0.0", raceProtection: "narrowed" })[1]).toMatchObject({
      level: "warning",
      message: expect.stringContaining("narrowed"),
    });
  });

  it("asks the workspace itself what it can hold here", async () => {
    const facts = await readHostFacts(import.meta.dirname);
    expect(facts).toMatchObject({
      nodeVersion: process.versions.node,
      raceProtection: expect.stringMatching(/closed|narrowed/),
    });
  });
});
