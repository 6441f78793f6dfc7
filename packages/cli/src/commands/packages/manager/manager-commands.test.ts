import { describe, expect, it } from "vitest";
import { toAddArguments, toRestoreArguments, type ManagerKind } from "./manager-commands.ts";

const KINDS: readonly ManagerKind[] = ["npm", "pnpm", "yarn", "yarn-classic", "bun"];
const NO_SCRIPTS = /^(?:--ignore-scripts|--mode=skip-build)$/;

describe("toAddArguments", () => {
  const add = (kind: ManagerKind): string[] =>
    toAddArguments(kind, { specs: ["fx-tools@latest"], field: "devDependencies", isWorkspaceRoot: false });

  it.each(KINDS)("lets %s run no scripts, and names the package last", (kind) => {
    expect(add(kind)).toContainEqual(expect.stringMatching(NO_SCRIPTS));
    expect(add(kind)).toContainEqual(expect.stringMatching(/^--(?:save-)?dev$/));
    expect(add(kind).at(-1)).toBe("fx-tools@latest");
  });

  it("lets bun ask which version is the latest, which it else remembers for minutes", () => {
    expect(add("bun")).toContain("--no-cache");
  });
});

describe("toRestoreArguments", () => {
  it.each(KINDS)("lets %s run no scripts", (kind) => {
    expect(toRestoreArguments(kind, { isLocked: true, offline: true })).toContainEqual(
      expect.stringMatching(NO_SCRIPTS),
    );
  });
});
