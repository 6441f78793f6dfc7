import { describe, expect, it } from "vitest";
import { joinWorkspace } from "./join-workspace.ts";

const given = { cwd: "/p/sub", roots: ["/p/sub"] };
const options = { projectDir: "/p", home: "/h" };

describe("joinWorkspace", () => {
  it("leaves a workspace as it is where nothing is configured", () => {
    expect(joinWorkspace(given, undefined, options)).toEqual(given);
    expect(joinWorkspace(given, {}, options)).toEqual(given);
  });

  it("finds folders from the project and from the home", () => {
    const config = { roots: ["../library", "/abs", "~/notes", "/p/sub"], readOnly: ["vendor", "~"] };
    expect(joinWorkspace(given, config, options)).toEqual({
      cwd: "/p/sub",
      roots: ["/p/sub", "/library", "/abs", "/h/notes"],
      readOnly: ["/p/vendor", "/h"],
    });
  });

  it("takes a read-only folder that is written as a pattern for all it holds as the folder", () => {
    const config = { readOnly: ["vendor/**", "~/**", "./lib/**/"] };
    expect(joinWorkspace(given, config, options).readOnly).toEqual(["/p/vendor", "/h", "/p/lib"]);
  });

  it("adds rules to those of the host, and takes none away", () => {
    const host = { ...given, readOnly: ["a"], deny: ["b"] };
    expect(joinWorkspace(host, { readOnly: ["/p/c"], deny: ["b", "d"] }, options)).toEqual({
      ...given,
      readOnly: ["a", "/p/c"],
      deny: ["b", "d"],
    });
  });

  it("keeps history where the host says, else where the configuration does", () => {
    expect(joinWorkspace(given, { history: "memory" }, options).history).toBe("memory");
    expect(joinWorkspace({ ...given, history: "disk" }, { history: "memory" }, options).history).toBe("disk");
  });

  it("has patterns of one place count from the project too", () => {
    const config = { deny: ["keys/*", "*.pem", "**/x/y", "/abs/z", "~/w", "lone/"] };
    expect(joinWorkspace(given, config, { ...options, projectDir: "/p[1]" }).deny).toEqual([
      ...config.deny,
      "/p\\[1\\]/keys/*",
    ]);
    expect(joinWorkspace({ cwd: "/p", roots: [] }, config, options).deny).toEqual(config.deny);
  });
});
