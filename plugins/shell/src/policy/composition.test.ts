import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicyWorkspace, type PolicyWorkspace } from "./__fixtures__/workspace.ts";
import { READ_ONLY_PROGRAMS } from "./read-only-programs.ts";

let workspace: PolicyWorkspace;

beforeAll(() => {
  workspace = createPolicyWorkspace();
});

afterAll(() => {
  workspace.remove();
});

const ALLOWED = ["ls", "cat a.txt", "echo x", "wc -l b.txt", "true"];
const FORBIDDEN = [
  "touch x",
  "rm a.txt",
  "npm test",
  "cat /etc/passwd",
  "echo x > y",
  "git status",
  "sudo -n ls",
  "X=1 ls",
];

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Ways in which a shell can come to run the second command. */
const SYNTAX: readonly ((allowed: string, forbidden: string) => string)[] = [
  (a, f) => `${a}; ${f}`,
  (a, f) => `${a}\n${f}`,
  (a, f) => `${a} && ${f}`,
  (a, f) => `${a} || ${f}`,
  (a, f) => `${a} | ${f}`,
  (a, f) => `${a} |& ${f}`,
  (a, f) => `${f} & ${a}`,
  (a, f) => `${a} $(${f})`,
  (a, f) => `echo "$(${f})"; ${a}`,
  (a, f) => `echo \`${f}\`; ${a}`,
  (a, f) => `cat <(${f}); ${a}`,
  (a, f) => `cat < <(${f})`,
  (a, f) => `${a} > >(${f})`,
  (a, f) => `(${a}; ${f})`,
  (a, f) => `{ ${a}; ${f}; }`,
  (a, f) => `if ${a}; then ${f}; fi`,
  (a, f) => `if ${f}; then ${a}; fi`,
  (a, f) => `while ${f}; do ${a}; break; done`,
  (a, f) => `for i in 1 2; do ${a}; ${f}; done`,
  (a, f) => `case x in *) ${f};; esac; ${a}`,
  (a, f) => `! ${f}; ${a}`,
  (a, f) => `time ${f}; ${a}`,
  (a, f) => `f() { ${f}; }; ${a}; f`,
  (a, f) => `cat <<EOF\n$(${f})\nEOF\n${a}`,
  (a, f) => `cat <<< "$(${f})"; ${a}`,
  (a, f) => `x=$(${f}); ${a}`,
  (a, f) => `x=\${y:-$(${f})}; ${a}`,
  (a, f) => `echo \${y:-$(${f})}; ${a}`,
  (a, f) => `echo $((1 + $(${f}))); ${a}`,
  (a, f) => `x=(1 $(${f})); ${a}`,
  (a, f) => `[[ -n $(${f}) ]]; ${a}`,
  (a, f) => `bash -c ${quote(f)}; ${a}`,
  (a, f) => `eval ${quote(f)}; ${a}`,
  (a, f) => `timeout 5 bash -c ${quote(f)}; ${a}`,
  (a, f) => `${a} # comment\n${f}`,
  (a, f) => `${a} \\\n; ${f}`,
  (a, f) => `coproc ${f}; ${a}`,
];

describe("judgeScript", () => {
  it("never takes an allowed command composed with a forbidden one for read-only (SEC-SH-3, SEC-SH-4)", () => {
    const compose = fc.tuple(
      fc.constantFrom(...ALLOWED),
      fc.constantFrom(...FORBIDDEN),
      fc.array(fc.constantFrom(...SYNTAX), { minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(compose, ([allowed, forbidden, layers]) => {
        const text = layers.reduce((inner, layer) => layer(allowed, inner), forbidden);
        expect(workspace.judge(text).level, text).not.toBe("read_only");
      }),
      { numRuns: 1_500 },
    );
  });

  it.each(SYNTAX.map((layer) => [layer("ls", "touch x"), layer] as const))(
    "sees the forbidden command in %j",
    (_, layer) => {
      for (const forbidden of FORBIDDEN) expect(workspace.judge(layer("ls", forbidden)).level).not.toBe("read_only");
    },
  );

  it("takes allowed commands composed with each other for read-only, where nothing else is added", () => {
    for (const layer of SYNTAX.slice(0, 4)) {
      for (const allowed of ALLOWED) expect(workspace.judge(layer(allowed, "ls")).level).toBe("read_only");
    }
  });

  it("never says read-only of garbage that the parser recovers from", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (noise) => {
        expect(workspace.judge(`touch x; ${noise}`).level).not.toBe("read_only");
      }),
      { numRuns: 300 },
    );
  });
});

describe("READ_ONLY_PROGRAMS", () => {
  const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];

  it("lets no option through that is not on a program's list (SEC-SH-5)", () => {
    for (const [program, known] of READ_ONLY_PROGRAMS) {
      if (known.words?.test("-é") === true || workspace.judge(program).finding?.rule === "not_read_only") continue;
      const listed = (known.flags ?? "") + (known.values ?? "");
      const odd = LETTERS.filter((letter) => !listed.includes(letter) && known.words?.test(`-${letter}`) !== true);
      for (const letter of odd)
        expect(workspace.judge(`${program} -${letter}`).level, `${program} -${letter}`).not.toBe("read_only");
      const [listedFlag] = known.flags ?? "";
      const last = odd[0];
      if (listedFlag !== undefined && last !== undefined) {
        expect(workspace.judge(`${program} -${listedFlag}${last}`).level).not.toBe("read_only");
      }
      for (const long of ["--unknown", "--output=x", "--o", "--exec=x"])
        expect(workspace.judge(`${program} ${long}`).level).not.toBe("read_only");
    }
  });
});
