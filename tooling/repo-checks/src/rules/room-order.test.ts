import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkRoomOrder, checkRoomsPage, ROOMS_PAGE } from "./room-order.ts";

function judge(file: string, line: string): string {
  return describeFindings(checkRoomOrder(repoOf({ [`packages/${file}`]: line })));
}

describe("checkRoomOrder", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkRoomOrder(openRepo()))).toBe("");
  });

  it("lets a room use itself and what lies below it", () => {
    expect(
      judge("core/src/run/run-tool.ts", 'import "./settle.ts"; import "../validate/a.ts"; import "../observe/b.ts";'),
    ).toBe("");
    expect(
      judge(
        "core/src/offer/targets/openai.ts",
        'import "../to-definition.ts"; import type { A } from "../../contract/tool.ts";',
      ),
    ).toBe("");
  });

  it("finds an import upwards, also of a type only", () => {
    expect(judge("core/src/schema/a.ts", 'import type { A } from "../define/b.ts";')).toContain(
      "the room schema imports only",
    );
    expect(judge("core/src/contract/a.ts", 'import type { A } from "../errors/b.ts";')).toContain(
      "imports only itself",
    );
  });

  it("finds executor stages that know each other", () => {
    expect(judge("executor/src/limit/a.ts", 'import "../decide/b.ts";')).toContain("the room limit imports only");
  });

  it("finds a room that imports a door or a wiring file", () => {
    expect(judge("core/src/run/a.ts", 'import "../index.ts";')).toContain("no room imports a door");
    expect(judge("executor/src/call/a.ts", 'import "../tool-manager.ts";')).toContain("no room imports a door");
  });

  it("finds a room without a place", () => {
    expect(judge("core/src/utils/a.ts", "")).toContain("every room has a place");
  });
});

describe("checkRoomsPage", () => {
  const repo = openRepo();
  const page = repo.read(ROOMS_PAGE) ?? "";

  function judgePage(text: string): string {
    return describeFindings(
      checkRoomsPage({ files: repo.files, read: (file) => (file === ROOMS_PAGE ? text : repo.read(file)) }),
    );
  }

  it("holds in this repository", () => {
    expect(judgePage(page)).toBe("");
  });

  it("finds a room that is not explained, and a row of no room", () => {
    expect(judgePage(page.replace("| `pipeline/` |", "| pipeline |"))).toContain("Add a row `pipeline/`");
    expect(judgePage(page.replace("| `pipeline/` |", "| `gone/` | x |\n| `pipeline/` |"))).toContain(
      "executor/src/gone:",
    );
  });

  it("takes a room of one package for none of another", () => {
    expect(
      judgePage(page.replace("| `schema/` |", "| schema |").replace("| `limit/` |", "| `schema/` | x |\n| `limit/` |")),
    ).toContain("Add a row `schema/`");
  });
});
