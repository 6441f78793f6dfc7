import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkWorkspaceTags } from "./workspace-tags.ts";

describe("checkWorkspaceTags", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkWorkspaceTags(openRepo()))).toBe("");
  });

  it("finds a missing, a wrong and a doubled tag", () => {
    const repo = repoOf({
      "packages/core/package.json": '{"name":"@aiw/core"}',
      "plugins/web/package.json": '{"name":"@aiw/plugin-web"}',
      "plugins/web/turbo.json": '{"tags":["core"]}',
      "apps/demo/package.json": '{"name":"@aiw/demo"}',
      "apps/demo/turbo.json": '{"tags":["app","private"]}',
    });
    const files = checkWorkspaceTags(repo).map(({ file }) => file);
    expect(files).toEqual(["apps/demo/turbo.json", "packages/core/turbo.json", "plugins/web/turbo.json"]);
  });

  it("refuses a package nobody decided on", () => {
    const repo = repoOf({ "packages/helpers/package.json": "{}", "packages/helpers/turbo.json": '{"tags":["leaf"]}' });
    expect(checkWorkspaceTags(repo)).toMatchObject([{ rule: "the package set is a decision" }]);
  });
});
