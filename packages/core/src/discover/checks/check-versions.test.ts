import fc from "fast-check";
import semver from "semver";
import { describe, expect, it } from "vitest";
import { checkVersions, readRunningVersions } from "./check-versions.ts";

const number = fc.nat({ max: 3 });
const version = fc
  .tuple(number, number, number, fc.constantFrom("", "-rc.1", "-nightly20261120"))
  .map(([a, b, c, tag]) => `${a}.${b}.${c}${tag}`);
const range = fc
  .tuple(
    fc.constantFrom(">=", "^", "~", ">", "<", "", ">= "),
    number,
    fc.option(number),
    fc.option(number),
    fc.constantFrom("", "-rc.0", " || ^3"),
  )
  .map(
    ([operator, a, b, c, tail]) =>
      operator + [a, b, b === null ? null : c].filter((part) => part !== null).join(".") + tail,
  );

describe("checkVersions", () => {
  it("judges Node as semver does, prereleases included", async () => {
    await fc.assert(
      fc.asyncProperty(range, version, async (wanted, node) => {
        const { refusal } = await checkVersions({ engines: { node: wanted } }, { node, core: undefined });
        const isMet = semver.validRange(wanted) === null || semver.satisfies(node, wanted, { includePrerelease: true });
        expect(refusal?.code).toBe(isMet ? undefined : "node_version_unsupported");
      }),
    );
  });

  it("refuses ranges of newer majors of core alone", async () => {
    await fc.assert(
      fc.asyncProperty(range, version, async (wanted, core) => {
        const { refusal } = await checkVersions({ dependencies: { "@aiw/core": wanted } }, { node: "26.0.0", core });
        const lowest = semver.validRange(wanted) === null ? null : semver.minVersion(wanted);
        const isNewer = lowest !== null && lowest.major > semver.major(core);
        expect(refusal?.code).toBe(isNewer ? "core_version_unsupported" : undefined);
      }),
    );
  });

  it.each([
    [{ engines: { node: "whatever" } }, ["range_unreadable"]],
    [{ engines: { node: 22 } }, ["range_unreadable"]],
    [{ engines: null, dependencies: [] }, []],
    [{ peerDependencies: { "@aiw/core": "latest-and-greatest!" } }, ["range_unreadable"]],
    [{ dependencies: { "@aiw/core": "workspace:^" } }, []],
  ])("allows %j, noting what it cannot read", async (manifest, codes) => {
    const { refusal, notes } = await checkVersions(manifest, readRunningVersions());
    expect(refusal).toBeUndefined();
    expect(notes.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    [{ engines: { node: "whatever" } }, "/engines/node", "Write a range of Node such as >=22.19."],
    [
      { dependencies: { "@aiw/core": "file:../core.tgz" } },
      "/dependencies/@aiw~1core",
      "Write a range of @aiw/core such as ^1.2.3, once it is installed from a registry.",
    ],
  ])("tells what range to write in %j", async (manifest, pointer, fix) => {
    const { notes } = await checkVersions(manifest, { node: "26.0.0", core: "1.2.3" });
    expect(notes).toMatchObject([{ code: "range_unreadable", pointer, fix }]);
  });

  it("knows the versions of this process", () => {
    expect(readRunningVersions()).toEqual({
      node: process.versions.node,
      core: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });
});
