import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkWorkflows } from "./workflows.ts";

const CHECKOUT = `actions/checkout@${"a".repeat(40)} # v7.0.1`;

const GOOD = `
on: push
permissions:
  contents: read
jobs:
  publish:
    timeout-minutes: 5
    permissions:
      contents: read
      id-token: write
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - run: npx --yes pnpm@12 install --frozen-lockfile --ignore-scripts
      - run: echo "$TITLE"
        env:
          TITLE: \${{ github.event.head_commit.message }}
`;

function judge(from: string, to: string): string {
  expect(GOOD).toContain(from);
  return describeFindings(checkWorkflows(repoOf({ ".github/workflows/a.yml": GOOD.replace(from, to) })));
}

describe("checkWorkflows", () => {
  it("holds in this repository", () => {
    const repo = openRepo();
    expect(repo.files.filter((file) => file.startsWith(".github/workflows/"))).not.toEqual([]);
    expect(describeFindings(checkWorkflows(repo))).toBe("");
  });

  it("accepts pinned actions with the least permissions", () => {
    expect(judge("on: push", "on: push")).toBe("");
  });

  it.each([
    ["an action by its tag", CHECKOUT, "actions/checkout@v7", "Pin"],
    ["a pin that tells no version", CHECKOUT, `actions/checkout@${"a".repeat(40)}`, "Pin"],
    ["text that is no YAML", "on: push", "on: [push", "Correct it"],
    ["a trigger that strangers hold", "on: push", "on: [push, pull_request_target]", "pull_request_target"],
    ["permissions for every job", "contents: read\njobs", "contents: write\njobs", "Begin with"],
    ["no permissions at all", "permissions:\n  contents: read\njobs", "jobs", "Begin with"],
    [
      "all permissions of a job",
      "permissions:\n      contents: read\n      id-token: write",
      "permissions: write-all",
      "Name",
    ],
    [
      "an identity beside another permission",
      "contents: read\n      id",
      "contents: write\n      id",
      "take id-token apart",
    ],
    ["scripts beside an identity", " --ignore-scripts", "", "--ignore-scripts"],
    ["tests beside an identity", 'echo "$TITLE"', ".ci/run", "builds and tests nothing"],
    ["no limit of time", "timeout-minutes: 5", "runs-on: ubuntu-latest", "timeout-minutes"],
    ["an expression in a script", 'echo "$TITLE"', 'echo "${{ github.head_ref }}"', "Hand values"],
    ["credentials that stay", "persist-credentials: false", "fetch-depth: 0", "persist-credentials"],
    ["a secret", "github.event.head_commit.message", "secrets.NPM_TOKEN", "Use no secrets"],
  ])("finds %s", (_name, from, to, repair) => {
    expect(judge(from, to)).toContain(repair);
  });
});
