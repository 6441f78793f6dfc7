import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeAnswers } from "../__fixtures__/answers.ts";
import type { Answers } from "../answers/answers.ts";
import { LANGUAGES, LICENSES, PACKAGE_MANAGERS, TEMPLATES, TEST_RUNNERS } from "../answers/choices.ts";
import { toPlainText } from "../names/plain-text.ts";
import { toolNameProblem } from "../names/tool-name.ts";
import { renderFiles } from "./render-files.ts";

function render(changes: Partial<Answers> = {}): Record<string, string> {
  return Object.fromEntries(renderFiles(fakeAnswers(changes), 2026).map(({ path, text }) => [path, text]));
}

const combinations = TEMPLATES.flatMap((template) =>
  LANGUAGES.flatMap((language) => TEST_RUNNERS.map((test) => ({ template, language, test }))),
);

interface PackageJson {
  readonly name: string;
  readonly description: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function readPackageJson(files: Readonly<Record<string, string>>): PackageJson {
  return JSON.parse(files["package.json"] ?? "") as PackageJson;
}

describe("renderFiles", () => {
  it("reads no template that would be left out of the tarball", () => {
    const templates = readdirSync(join(import.meta.dirname, "../../templates"), { recursive: true, encoding: "utf8" });
    expect(templates.length).toBeGreaterThan(40);
    expect(templates.filter((file) => /\.test(?:-d)?\.|__fixtures__|node_modules|\.gitignore$/.test(file))).toEqual([]);
    expect(Object.keys(render())).toContain("src/contract.test.ts");
  });

  it.each(combinations)("fills every placeholder of a $template in $language for $test", (combination) => {
    for (const packageManager of PACKAGE_MANAGERS) {
      const files = render({ ...combination, packageManager, name: "@acme/x" });
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining([".gitignore", ".github/workflows/release.yml", "LICENSE"]),
      );
      for (const [path, text] of Object.entries(files)) {
        expect(path).toMatch(/^[\w.-]+(?:\/[\w.-]+)*$/);
        expect(`${path}\n${text}`).not.toMatch(/(?<!\$)\{\{\w+\}\}|\.template/);
        if (!path.startsWith("src/")) expect(text).not.toContain("undefined");
        expect(text).toMatch(/[^\n]\n$/);
        expect(text).not.toMatch(/\n\n\n|[ \t]\n/);
      }
      expect(".yarnrc.yml" in files).toBe(packageManager === "yarn");
      expect("tsconfig.json" in files).toBe(combination.language === "ts");
      expect("@aiw/compiler" in readPackageJson(files).devDependencies).toBe(
        combination.language === "ts" && combination.template !== "service",
      );
      expect("vitest" in readPackageJson(files).devDependencies).toBe(combination.test === "vitest");
    }
  });

  it.each(combinations)(
    "makes no file of a $template in $language for $test twice, whatever the tool is called",
    (combination) => {
      const stems = Object.keys(render(combination)).map((path) => path.split("/").at(-1)?.split(".")[0] ?? "");
      const names = [...stems, ...TEMPLATES].map((stem) => stem.toLowerCase().replaceAll("-", "_"));
      for (const tool of names.filter((name) => toolNameProblem(name) === undefined)) {
        const paths = renderFiles(fakeAnswers({ ...combination, tool }), 2026).map(({ path }) => path);
        expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
      }
    },
  );

  it("names the tool, its function and its file as it was told", () => {
    const files = render({ template: "service", language: "js", tool: "search_items" });
    expect(files["src/search-items.js"]).toContain('export const searchItems = defineTool({\n  name: "search_items",');
    expect(files["README.md"]).toContain("`search_items`");
  });

  it("breaks nothing by any description", () => {
    const plain = render({ description: "x" });
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        '"',
        "`",
        "*/",
        "$&",
        "</script>",
        "{{name}}",
        "\u202e",
        "\n# x",
        "${x}",
        "\\",
        "'); //",
        "\u2028",
      ),
    );
    const descriptions = fc.array(nasty, { maxLength: 6 }).map((parts) => `a${parts.join("")}`);
    fc.assert(
      fc.property(descriptions, (description) => {
        const files = render({ description });
        const shown = toPlainText(description);
        expect(readPackageJson(files).description).toBe(shown);
        const line = (files["README.md"] ?? "").split("\n")[2] ?? "";
        expect(line.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")).toBe(shown);
        const others = Object.entries(files).filter(([path]) => path !== "package.json" && path !== "README.md");
        for (const [path, text] of others) expect(text).toBe(plain[path]);
        expect((files["README.md"] ?? "").split("\n").length).toBe((plain["README.md"] ?? "").split("\n").length);
      }),
      { numRuns: 50 },
    );
  });

  it("carries the license that was chosen", () => {
    for (const license of LICENSES) {
      const files = render({ license });
      expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ license });
      expect(files["LICENSE"]).toContain(license.split("-")[0]);
    }
    expect(render({ name: "@acme/x" })["LICENSE"]).toContain("Copyright (c) 2026 contributors of @acme/x");
  });

  it("says where the source is, or how to say it", () => {
    const files = render({ repository: { owner: "acme", name: "x" } });
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      repository: { type: "git", url: "git+https://github.com/acme/x.git" },
    });
    expect(files["README.md"]).not.toContain("npm pkg set");
    expect(JSON.parse(render()["package.json"] ?? "")).not.toHaveProperty("repository");
    expect(render()["README.md"]).toContain("npm pkg set repository=github:OWNER/NAME");
  });

  it.each(PACKAGE_MANAGERS)("speaks to %s in scripts and workflows", (packageManager) => {
    const files = render({ packageManager });
    const { scripts } = readPackageJson(files);
    expect(scripts["check"]).toBe(`${packageManager} run test && aiw check`);
    expect(files[".github/workflows/test.yml"]).toContain(`- run: ${packageManager} run check\n`);
  });

  it("publishes with provenance, from a workflow that was checked and can do nothing else", () => {
    const workflow = render()[".github/workflows/release.yml"] ?? "";
    const [check, publish] = [
      workflow.indexOf("- run: npm run check"),
      workflow.indexOf("npm publish --provenance --access public"),
    ];
    expect(check).toBeGreaterThan(0);
    expect(publish).toBeGreaterThan(check);
    expect([...workflow.matchAll(/\w+: write/g)].map(String)).toEqual(["token: write"]);
    for (const text of [workflow, render()[".github/workflows/test.yml"] ?? ""]) {
      const used = [...text.matchAll(/uses: (\S+)(.*)/g)];
      expect(used.length).toBe(2);
      for (const [, action, comment] of used)
        expect(`${action}${comment}`).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });
});
