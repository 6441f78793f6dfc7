import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findTrustFile } from "./find-trust-file.ts";

describe("findTrustFile", () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    [
      "the folder that is named",
      "linux",
      { AIW_CONFIG_HOME: "/own", XDG_CONFIG_HOME: "/x", HOME: "/h" },
      "/own/trust.json",
    ],
    ["the configuration folder", "linux", { XDG_CONFIG_HOME: "/x", HOME: "/h" }, "/x/aiw/trust.json"],
    ["the home folder", "linux", { HOME: "/h" }, "/h/.config/aiw/trust.json"],
    [
      "the home folder instead of a relative one",
      "darwin",
      { XDG_CONFIG_HOME: "x", HOME: "/h" },
      "/h/.config/aiw/trust.json",
    ],
    [
      "the home folder instead of empty names",
      "linux",
      { AIW_CONFIG_HOME: "", XDG_CONFIG_HOME: "", HOME: "/h" },
      "/h/.config/aiw/trust.json",
    ],
    [
      "the roaming folder",
      "win32",
      { APPDATA: "C:\\Users\\a\\R", USERPROFILE: "C:\\Users\\a" },
      "C:\\Users\\a\\R\\aiw\\trust.json",
    ],
    ["the profile", "win32", { USERPROFILE: "C:\\Users\\a" }, "C:\\Users\\a\\AppData\\Roaming\\aiw\\trust.json"],
  ])("finds %s (%s)", (_what, platform, environment, file) => {
    expect(findTrustFile(environment, platform)).toEqual({ file });
  });

  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    ["AIW_CONFIG_HOME", "linux", { AIW_CONFIG_HOME: "own", HOME: "/h" }, '"own"'],
    ["HOME", "linux", { HOME: "." }, '"."'],
    ["HOME", "linux", { XDG_CONFIG_HOME: "x", HOME: "work/project" }, '"work/project"'],
    ["USERPROFILE", "win32", { APPDATA: "R", USERPROFILE: "a" }, '"a"'],
  ])("names no place when %s (%s) depends on where the process stands", (variable, platform, environment, value) => {
    const { problem } = findTrustFile(environment, platform);
    expect(problem?.reason).toBe(`${variable} is no absolute path: ${value}.`);
  });

  it.runIf(process.platform !== "win32")("names no place in a process whose home is empty", () => {
    vi.stubEnv("HOME", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(findTrustFile({ HOME: "" }, "linux").problem?.reason).toBe('HOME is no absolute path: "".');
  });
});
