import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { definitionHash } from "../../schema/definition-hash.ts";
import { compareLock } from "./compare-lock.ts";
import { describeDifferences } from "./describe-difference.ts";
import { hashFiles, hashValue } from "./hash-bytes.ts";
import type { AiwLock, LockedPackage } from "./lock-file.ts";
import { markChange } from "./mark-change.ts";
import { parseLock } from "./parse-lock.ts";
import { readLock } from "./read-lock.ts";
import { serializeLock } from "./serialize-lock.ts";
import { writeLock, type LockWriterFileSystem } from "./write-lock.ts";

const hash = fc
  .uint8Array({ maxLength: 4 })
  .map((bytes) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`);
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 3 }),
    fc.constantFrom("\u200b", "\u202e", "\ufe0f", "\u{e0041}", "\u0000", '"', "\\", "\u2028"),
  ),
});
const wellFormed = text.filter((one) => one.isWellFormed());
/** V8 14.6 reads a member's name that is one escaped character as a backslash, once an object of the same shape had that name. */
const fileName = wellFormed.filter((one) => one.length !== 1);
const json = fc.jsonValue().filter((value) => isExact(value));

/** What a lock may hold: JSON keeps no other number exactly, and no lone surrogate. */
function isExact(value: unknown): boolean {
  const written = JSON.stringify(value);
  return (
    !/[eE.]\d|-0|\d{16}/.test(written) &&
    JSON.parse(written) !== undefined &&
    written.isWellFormed() &&
    !/\\ud[89a-f]/i.test(written) &&
    !/"\\(?:u.{4}|[^u])":/.test(written) &&
    !written.includes("__proto__")
  );
}

const spec = (name: string): fc.Arbitrary<ToolSpec> =>
  fc
    .record({ description: wellFormed, inputSchema: json, implementation: json, metadata: json })
    .map((members) => ({ name, type: "function", ...members }) as unknown as ToolSpec);

const tools = fc
  .uniqueArray(fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/), { maxLength: 4 })
  .chain((names) =>
    fc
      .tuple(
        ...names.map((name) =>
          spec(name).map(
            (one) => [name, { definitionHash: hashValue(one), module: "./index.js", export: name, spec: one }] as const,
          ),
        ),
      )
      .map((entries) => new Map(entries)),
  );

const locked: fc.Arbitrary<LockedPackage> = fc
  .record({
    version: wellFormed,
    files: fc.array(fc.tuple(fileName, hash), { maxLength: 5 }).map((entries) => new Map(entries)),
    tools,
  })
  .map((one) => ({ ...one, content: hashFiles(one.files) }));

const lock: fc.Arbitrary<AiwLock> = fc
  .array(fc.tuple(fc.stringMatching(/^(?:@[a-z]{1,5}\/)?[a-z0-9]{1,8}$/), locked), { maxLength: 4 })
  .map((entries) => ({ packages: new Map(entries) }));

function shuffled<Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  return new Map([...map].toReversed());
}

describe("serializeLock", () => {
  it("SEC-LOCK-4: gives one text for one lock, whatever the order it was made in, and parseLock gives the lock back", () => {
    fc.assert(
      fc.property(lock, (one) => {
        const written = serializeLock(one);
        const other = {
          packages: shuffled(
            new Map(
              [...one.packages].map(([key, entry]) => [
                key,
                { ...entry, files: shuffled(entry.files), tools: shuffled(entry.tools) },
              ]),
            ),
          ),
        };
        expect(serializeLock(other)).toBe(written);
        const parsed = parseLock(written);
        expect(parsed.problem).toBeUndefined();
        expect(serializeLock(parsed.lock ?? { packages: new Map() })).toBe(written);
        expect(compareLock(one, parsed.lock)).toEqual([]);
      }),
    );
  });

  it("ends in a line feed, has no other line end, and hides nothing", () => {
    fc.assert(
      fc.property(lock, (one) => {
        const written = serializeLock(one);
        expect(written).toMatch(/[^\n]\n$/);
        expect(written).not.toMatch(
          /[\r\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e0fff}]/u,
        );
      }),
    );
  });

  it("sorts keys by code unit, numbers too", () => {
    const files = new Map(["10", "9", "b", "a", "A", "ä"].map((name) => [name, hashValue(name)]));
    const one = {
      packages: new Map([["fx", { version: "1.0.0", files, content: hashFiles(files), tools: new Map() }]]),
    };
    const names = [...serializeLock(one).matchAll(/"([^"]+)": "sha256-(?!.*content)/g)]
      .map(([, name]) => name)
      .filter((name) => name !== "content");
    expect(names).toEqual(["10", "9", "A", "a", "b", "ä"]);
    expect(parseLock(serializeLock(one)).problem).toBeUndefined();
  });
});

describe("parseLock", () => {
  it("gives a problem for every other text, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((one) => `{"lockVersion": 1, "packages": ${one}}`),
        ),
        (one) => {
          const parsed = parseLock(one);
          expect(parsed.problem !== undefined || serializeLock(parsed.lock) === one).toBe(true);
        },
      ),
    );
  });

  it("notices every changed character of a lock", () => {
    const files = new Map([["a.js", hashValue(1)]]);
    const one = {
      name: "t",
      type: "function",
      description: "Does it.",
      inputSchema: {},
      metadata: {},
    } as unknown as ToolSpec;
    const entry = {
      version: "1.0.0",
      files,
      content: hashFiles(files),
      tools: new Map([["t", { definitionHash: hashValue(one), spec: one }]]),
    };
    const written = serializeLock({ packages: new Map([["fx", entry]]) });
    fc.assert(
      fc.property(fc.nat(written.length - 1), fc.constantFrom(" ", "x", "1", '"', "\n", "é"), (at, character) => {
        fc.pre(written[at] !== character);
        const parsed = parseLock(written.slice(0, at) + character + written.slice(at + 1));
        // A key or version may be another: then it is a difference.
        if (parsed.problem === undefined)
          expect(compareLock({ packages: new Map([["fx", entry]]) }, parsed.lock)).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("parseLock of a text that an engine would write the same", () => {
  const LETTER = "PLACE";

  it.each<readonly [string, string]>([
    ["half a character", '"\\ud800"'],
    ["a whole number that lost digits", "12345678901234567000"],
  ])("SEC-LOCK-4: refuses %s, whatever its hash says", (_what, written) => {
    const files = new Map<string, string>();
    const make = (value: unknown): string => {
      const one = { description: "Does it.", implementation: value, name: "t", type: "function" };
      const definitionHash = `sha256-${createHash("sha256").update(JSON.stringify(one)).digest("base64")}`;
      const tools = { t: { definitionHash, spec: one } };
      const fx = { content: hashFiles(files), files: {}, tools, version: "1.0.0" };
      return `${JSON.stringify({ lockVersion: 1, packages: { fx } }, undefined, 2)}\n`;
    };
    expect(parseLock(make(LETTER)).problem).toBeUndefined();
    const text = make(JSON.parse(written));
    expect(text).toContain(written);
    expect(parseLock(text).problem).toEqual(expect.any(String));
  });
});

describe("hashValue", () => {
  it("SEC-LOCK-4: is the definition hash of a spec, which names its algorithm, and is another for another spec", async () => {
    await fc.assert(
      fc.asyncProperty(spec("a"), spec("a"), async (one, other) => {
        expect(hashValue(one)).toBe(await definitionHash(one));
        expect(hashValue(one)).toMatch(/^sha256-/);
        const same = compareLock(toLock(one), toLock(other)).length === 0;
        expect(hashValue(one) === hashValue(other)).toBe(same);
      }),
    );
  });

  it("SEC-LOCK-4: tells texts apart that Unicode calls equal", () => {
    expect(hashValue("é")).not.toBe(hashValue("é".normalize("NFD")));
  });
});

function toLock(one: ToolSpec): AiwLock {
  const files = new Map<string, string>();
  return {
    packages: new Map([
      [
        "fx",
        {
          version: "1",
          files,
          content: hashFiles(files),
          tools: new Map([["a", { definitionHash: hashValue(one), spec: one }]]),
        },
      ],
    ]),
  };
}

describe("compareLock", () => {
  it("finds nothing between equals, everything between others, and the same backwards", () => {
    fc.assert(
      fc.property(lock, lock, (one, other) => {
        expect(compareLock(one, one)).toEqual([]);
        const differences = compareLock(one, other);
        expect(differences.length === 0).toBe(serializeLock(one) === serializeLock(other));
        expect(compareLock(other, one)).toHaveLength(differences.length);
        expect(JSON.parse(JSON.stringify(differences))).toHaveLength(differences.length);
      }),
    );
  });
});

describe("describeDifferences", () => {
  it("hides nothing of what is different, in lines that nothing breaks, and is bounded", () => {
    fc.assert(
      fc.property(lock, lock, (one, other) => {
        for (const line of describeDifferences(compareLock(one, other)))
          expect(line).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e0fff}]/u);
      }),
    );
  });

  it("tells a text from a number or a boolean that looks alike", () => {
    const to = (value: unknown): AiwLock =>
      toLock({ name: "a", inputSchema: { default: value } } as unknown as ToolSpec);
    expect(describeDifferences(compareLock(to("false"), to(false))).slice(1)).toEqual([
      '    was ⟦"⟧false⟦"⟧',
      "    is  false",
    ]);
  });

  it("SEC-APR-2: cuts nothing for whoever says yes: not the last of many differences, nor the end of a long text", () => {
    const make = (description: string): ToolSpec =>
      ({
        name: "a",
        description,
        inputSchema: { x: "y".repeat(9000) },
        instructions: { text: "obey" },
      }) as unknown as ToolSpec;
    const of = (count: number, last: string): AiwLock => ({
      packages: new Map(
        Array.from({ length: count }, (_, index): [string, LockedPackage] => {
          const one = toLock(make(index === count - 1 ? last : `${index}`)).packages.get("fx");
          if (one === undefined) return expect.fail();
          return [`fx-${String(index).padStart(4, "0")}`, one];
        }),
      ),
    });
    const long = `${"word ".repeat(2000)}evil`;
    const changed = describeDifferences(compareLock(of(150, "x"), of(150, long)), { reviewed: new Map() });
    expect(changed.join("\n")).toMatch(/word evil⟧/);
    const { packages } = of(150, long);
    const added = describeDifferences(compareLock(undefined, { packages }), { reviewed: packages }).join("\n");
    expect(added).toContain("evil⟧");
    expect(added.match(/⟦\{"text":"obey"\}⟧/g)).toHaveLength(150);
    expect(added).toContain("y".repeat(9000));
    expect(added).not.toMatch(/more$/m);
    expect(describeDifferences(compareLock(undefined, { packages })).at(-1)).toMatch(/differences more$/);
  });

  it("counts the files of a package that are too many to name", () => {
    const to = new Map(Array.from({ length: 5000 }, (_, index) => [`f${index}`, hashValue(index)]));
    const at = (files: ReadonlyMap<string, string>): AiwLock => ({
      packages: new Map([["fx", { version: "1", files, content: hashFiles(files), tools: new Map() }]]),
    });
    const lines = describeDifferences(compareLock(at(new Map()), at(to)));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("fx: … and 4980 files more");
  });
});

describe("markChange", () => {
  it.each([
    ["Reads a file.", "Reads a file and sends it.", "Reads a file.", "Reads a file⟦ and sends it⟧."],
    ["a b c", "a x c", "a ⟦b⟧ c", "a ⟦x⟧ c"],
    ["ab", "a\u200bb", "⟦ab⟧", "⟦a\\u{200b}b⟧"],
    ["admin", "\u0430dmin", "⟦admin⟧", "⟦\u0430\\u{430}dmin⟧"],
    ["a", "a\u202e", "a⟦⟧", "a⟦\\u{202e}⟧"],
    ["line", "line\nnext", "line⟦⟧", "line⟦\\u{a}next⟧"],
    ["⟦x⟧ a", "⟦x⟧ b", "\\u{27e6}x\\u{27e7} ⟦a⟧", "\\u{27e6}x\\u{27e7} ⟦b⟧"],
  ])("shows %j → %j", (from, to, shownFrom, shownTo) => {
    expect(markChange(from, to)).toMatchObject({ to: shownTo });
    if (shownFrom !== from) expect(markChange(from, to).from).toBe(shownFrom);
  });

  it("never cuts out what changed, however far it is in the text", () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.stringMatching(/^[a-z]{1,20}$/), (length, word) => {
        const long = "lorem ".repeat(length);
        const { from, to } = markChange(`${long}old tail ${long}`, `${long}new${word} tail ${long}`);
        expect(from).toContain("⟦old⟧ tail");
        expect(to).toContain(`⟦new${word}⟧ tail`);
        expect(to.length).toBeLessThan(300);
      }),
    );
  });

  it("is bounded in time and length for texts that have nothing in common", () => {
    const of = (word: string): string => Array.from({ length: 100_000 }, (_, index) => `${word}${index}`).join(" ");
    const { from, to } = markChange(of("a"), of("b"));
    expect(from.length + to.length).toBeLessThan(20_000);
    expect(to).toContain("characters more");
  });
});

describe("writeLock", () => {
  async function open(): Promise<string> {
    const dir = await mkdtemp(path.join(tmpdir(), "aiw-lock-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    return dir;
  }
  const LOCK: AiwLock = { packages: new Map() };

  it("SEC-LOCK-6: leaves the former file when any step fails, and no temporary one", async () => {
    const dir = await open();
    writeLock(dir, LOCK);
    const before = await readFile(path.join(dir, "aiw.lock"), "utf8");
    const steps = ["lstatSync", "openSync", "writeFileSync", "fsyncSync", "renameSync"] as const;
    for (const step of steps) {
      const disk: LockWriterFileSystem = {
        ...fs,
        [step]: () => {
          throw Object.assign(new Error("full"), { code: "ENOSPC" });
        },
      };
      expect(() => writeLock(dir, toLock({ name: "a" } as unknown as ToolSpec), disk)).toThrow(
        /cannot be written: ENOSPC/,
      );
      expect(await readFile(path.join(dir, "aiw.lock"), "utf8")).toBe(before);
      expect(await readdir(dir)).toEqual(["aiw.lock"]);
    }
  });

  it("SEC-LOCK-6: gives whoever reads meanwhile a whole file", async () => {
    const dir = await open();
    writeLock(dir, LOCK);
    const disk: LockWriterFileSystem = {
      ...fs,
      renameSync: (from, to) => {
        expect(readLock(dir)?.packages.size).toBe(0);
        fs.renameSync(from, to);
      },
    };
    writeLock(dir, toLock({ name: "a" } as unknown as ToolSpec), disk);
    expect(readLock(dir)?.packages.size).toBe(1);
  });

  it("replaces no link and no folder", async () => {
    const dir = await open();
    fs.symlinkSync("elsewhere", path.join(dir, "aiw.lock"));
    expect(() => writeLock(dir, LOCK)).toThrow(/no regular file/);
    expect(await readdir(dir)).toEqual(["aiw.lock"]);
  });
});
