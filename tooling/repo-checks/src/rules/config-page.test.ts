import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkConfigPage, CONFIG_PAGE, CONFIG_SCHEMA_FILE, toConfigRows } from "./config-page.ts";

const SCHEMA = {
  properties: {
    limits: {
      type: "object",
      description: "Bounds.",
      additionalProperties: false,
      properties: {
        depth: {
          type: "integer",
          minimum: 0,
          default: 10,
          description: "Deep.",
          "x-aiw-effect": "widens_above_default",
          "x-aiw-merge": "replace",
        },
      },
    },
  },
};

function judge(page: string): string {
  return describeFindings(
    checkConfigPage(repoOf({ [CONFIG_PAGE]: page, [CONFIG_SCHEMA_FILE]: JSON.stringify(SCHEMA) })),
  );
}

describe("checkConfigPage", () => {
  it("holds for this repository", () => {
    expect(describeFindings(checkConfigPage(openRepo()))).toBe("");
  });

  it("makes a row of each key that is described", () => {
    expect(toConfigRows(SCHEMA)).toEqual([
      "| `limits` | object |  |  |  | Bounds. |",
      "| `limits.depth` | whole number from 0 | `10` | waits for trust above the default | replaces | Deep. |",
    ]);
  });

  it("tells members of equal lists once", () => {
    const items = { type: "object", properties: { id: { type: "string", description: "A name." } } };
    const list = (description: string): object => ({ type: "array", description, items });
    expect(toConfigRows({ properties: { ones: list("Ones."), others: list("Others.") } })).toEqual([
      "| `ones` | list |  |  |  | Ones. |",
      "| `ones[].id` | text |  |  |  | A name. |",
      "| `others` | list |  |  |  | Others. Each is as in `ones`. |",
    ]);
  });

  it("finds a row that the page lacks, and one that no key has", () => {
    const rows = toConfigRows(SCHEMA);
    expect(judge(rows.join("\n"))).toBe("");
    expect(judge(rows.slice(1).join("\n"))).toContain("Write the row: | `limits`");
    expect(judge([...rows, "| `gone` | text |  |  |  | Nothing. |"].join("\n"))).toContain("No key has the row");
    expect(judge("")).toContain("`limits.depth`");
  });

  it("leaves other tables alone", () => {
    expect(judge([...toConfigRows(SCHEMA), "| `code` | meaning |"].join("\n"))).toBe("");
  });
});
