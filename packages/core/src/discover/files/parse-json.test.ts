import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  it.each([
    ["", "line 1, column 1: ends where a value is expected"],
    ['{\n  "a": 1,\n}', "line 3, column 1: expected a name in double quotes"],
    ['{"a" 1}', 'line 1, column 6: expected ":"'],
    ['{"a": "b\nc"}', "line 1, column 9: expected a letter that may stand in a text"],
    ['["\\x"]', "line 1, column 3: expected a letter that may stand in a text"],
    ["[1, 2", 'line 1, column 6: ends where "," or "]" is expected'],
    ["{} {}", "line 1, column 4: expected the end"],
    ["nul", "line 1, column 1: expected a value"],
  ])("says where %j is wrong", (text, error) => {
    expect(parseJson(text)).toMatchObject({ error });
  });
});
