import { describe, expect, it } from "vitest";
import { detectManager } from "./package-managers.ts";

describe("detectManager", () => {
  it.each([
    ["npm/11.6.0 node/v24.8.0 linux x64", "npm"],
    ["pnpm/12.21.0 npm/? node/v24.8.0", "pnpm"],
    ["yarn/4.18.1 npm/? node/v24.8.0", "yarn"],
    ["bun/1.4.4 npm/? node/v24.3.0", "bun"],
    ["other/1.0.0", "npm"],
    [undefined, "npm"],
  ])("finds who says %s", (agent, manager) => {
    expect(detectManager({ npm_config_user_agent: agent })).toBe(manager);
  });
});
