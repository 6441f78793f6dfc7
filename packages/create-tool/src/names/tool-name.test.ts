import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TEMPLATE_FACTS } from "../answers/template-facts.ts";
import { toClassName, toFileName, toFunctionName, toolNameProblem } from "./tool-name.ts";

const TEMPLATES = join(import.meta.dirname, "../../templates");

describe("toolNameProblem", () => {
  it.each(["count_words", "x", "a".repeat(64), "sha256_sum"])("accepts %s", (name) => {
    expect(toolNameProblem(name)).toBeUndefined();
  });

  it.each([
    ["", "needs a name"],
    ["a".repeat(65), "64"],
    ["Search Items", "search_items"],
    ["getWeather", "get_weather"],
    ["get-weather", "get_weather"],
    ["get_2fa", "get2fa"],
    ["größe", "snake_case"],
    ["2fast", "snake_case"],
    ["_x", "x"],
    ["a__b", "a_b"],
    ["a\n", "snake_case"],
    ["delete", "taken"],
    ["constructor", "taken"],
    ["index", "taken"],
    ["contract", "taken"],
    ["then", "taken"],
  ])("refuses %j", (name, why) => {
    expect(toolNameProblem(name)).toContain(why);
  });

  it("refuses what the templates import or declare beside the tool", () => {
    const files = globSync("*-{ts,js}/src/*.template", { cwd: TEMPLATES });
    const bindings = files.flatMap((file) => {
      const text = readFileSync(join(TEMPLATES, file), "utf8");
      const imported = text.matchAll(/import (?:type )?\{?([^{}]*)\}? from/g);
      const declared = text.matchAll(/^(?:export )?(?:async )?(?:const|function|class) (\w+)/gm);
      // What a function declares hides the tool in it, and tests call the tool everywhere.
      const inner = file.includes(".{{test}}.")
        ? text.matchAll(/(?:const|let) \{?([\w, ]+)\}? (?:=|of)|\(([\w, ]+)\) =>/g)
        : [];
      return [...imported, ...declared, ...inner].flatMap(([, one, other]) =>
        (one ?? other ?? "").split(",").map((name) => name.replace("type ", "").trim()),
      );
    });
    const names = bindings.filter((name) => /^[a-z][A-Za-z]*$/.test(name));
    expect(names.length).toBeGreaterThan(40);
    const free = [...new Set(names)].filter(
      (name) => toolNameProblem(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) === undefined,
    );
    expect(free).toEqual([]);
  });

  it("accepts what the templates call their own tools", () => {
    for (const { tool } of Object.values(TEMPLATE_FACTS)) expect(toolNameProblem(tool)).toBeUndefined();
  });
});

describe("toFunctionName", () => {
  it("gives an identifier that leads back to the name", () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
    const names = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .map((words) => words.join("_"))
      .filter((name) => toolNameProblem(name) === undefined);
    fc.assert(
      fc.property(names, (name) => {
        const identifier = toFunctionName(name);
        expect(identifier).toMatch(/^[a-z][A-Za-z0-9]*$/);
        expect(() => new Function(`function ${identifier}() {}`)).not.toThrow();
        expect(identifier.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).toBe(name);
      }),
    );
  });
});

describe("toClassName", () => {
  it("begins with a capital", () => {
    expect(toClassName("find_tickets")).toBe("FindTickets");
  });
});

describe("toFileName", () => {
  it("has hyphens", () => {
    expect(toFileName("find_tickets")).toBe("find-tickets");
  });
});
