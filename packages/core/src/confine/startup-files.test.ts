import { describe, expect, it } from "vitest";
import { isStartupFile } from "./startup-files.ts";

describe("isStartupFile", () => {
  it.each([
    ".bashrc",
    "/home/me/.ZSHRC",
    "home/.profile",
    ".envrc",
    ".vscode/tasks.json",
    "sub/.vscode/settings.json",
    "x.code-workspace",
    ".idea/runConfigurations/a.xml",
    ".claude/settings.json",
    "deep/.mcp.json",
    "CLAUDE.md",
    ".cursor/mcp.json",
    ".npmrc",
    "pkg/.yarnrc.yml",
    ".pnpmfile.cjs",
    ".yarn/releases/yarn.cjs",
    ".config/git/config",
    ".gitconfig",
    ".husky/pre-commit",
    ".ssh/authorized_keys",
    "aiw.config.json",
    "C:\\Users\\me\\.npmrc",
    "lib/sitecustomize.py",
    "Library/LaunchAgents/x.plist",
  ])("knows %s (SEC-FS-9)", (path) => {
    expect(isStartupFile(path)).toBe(true);
  });

  it.each([
    "src/a.ts",
    "package.json",
    "bashrc",
    ".npmrc.md",
    "vscode/tasks.json",
    "README.md",
    ".config/app.json",
    "git/config",
    "",
    ".",
    "/",
  ])("passes over %j", (path) => {
    expect(isStartupFile(path)).toBe(false);
  });
});
