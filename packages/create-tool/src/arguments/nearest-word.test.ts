import { describe, expect, it } from "vitest";
import { nearestWord } from "./nearest-word.ts";

describe("nearestWord", () => {
  it.each([
    ["templte", "template"],
    ["tempalte", "template"],
    ["TEMPLATE", "template"],
    ["inst", "install"],
    ["servce", "service"],
  ])("takes %s for %s", (written, word) => {
    expect(nearestWord(written, ["template", "install", "no-install", "service", "git"])).toBe(word);
  });

  it.each(["xyz", "", "q"])("finds nothing near %j", (written) => {
    expect(nearestWord(written, ["template", "install"])).toBeUndefined();
  });
});
