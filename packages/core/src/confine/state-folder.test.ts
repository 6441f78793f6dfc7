import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { findStateFolder } from "./state-folder.ts";

describe("findStateFolder", () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    ["the folder that is named", "linux", { AIW_STATE_HOME: "/own/", XDG_STATE_HOME: "/x", HOME: "/h" }, "/own"],
    ["the folder for state", "linux", { XDG_STATE_HOME: "/x", HOME: "/h" }, "/x/aiw"],
    ["the home folder", "darwin", { HOME: "/h" }, "/h/.local/state/aiw"],
    [
      "a home when names are empty",
      "linux",
      { AIW_STATE_HOME: "", XDG_STATE_HOME: "", HOME: "/h" },
      "/h/.local/state/aiw",
    ],
    [
      "a home when names are relative",
      "linux",
      { AIW_STATE_HOME: "own", XDG_STATE_HOME: "x", HOME: "/h" },
      "/h/.local/state/aiw",
    ],
    ["the local folder", "win32", { LOCALAPPDATA: "C:\\L", USERPROFILE: "C:\\u" }, "C:\\L\\aiw"],
    ["the profile", "win32", { USERPROFILE: "C:\\u" }, "C:\\u\\AppData\\Local\\aiw"],
  ])("finds %s (%s)", (_what, platform, environment, folder) => {
    expect(findStateFolder(environment, platform)).toBe(folder);
  });

  it.runIf(process.platform !== "win32")("takes the user's home when the environment names none", () => {
    expect(findStateFolder({ HOME: "." }, "linux")).toBe(`${homedir()}/.local/state/aiw`);
  });
});
