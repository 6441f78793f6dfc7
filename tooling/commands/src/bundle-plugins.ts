import path from "node:path";
import type { Plugin } from "rolldown";

/** Prefix of ids that no file has. */
const VIRTUAL = "\0builtin:";

/** Modules that take a while to load: a bundle asks for them when a function of theirs is called, and has nothing else of them. */
const HEAVY: ReadonlySet<string> = new Set(["node:child_process", "node:crypto", "node:os", "node:util"]);

/**
 * Takes modules of Node as values, where an `import` would fill a namespace with all of their exports: its getters load
 * promises, streams and more at every start. Dynamic imports stay as they are.
 */
export function takeBuiltinsAsValues(): Plugin {
  return {
    name: "take-builtins-as-values",
    resolveId(source, _importer, { kind }) {
      if (!source.startsWith("node:")) return null;
      if (kind === "dynamic-import") return { id: source, external: true };
      return { id: VIRTUAL + source, moduleSideEffects: false };
    },
    async load(id) {
      if (!id.startsWith(VIRTUAL)) return null;
      const name = id.slice(VIRTUAL.length);
      const isHeavy = HEAVY.has(name);
      const exported = Object.entries((await import(name)) as object)
        .filter(([key, value]) => /^[A-Za-z_$][\w$]*$/u.test(key) && (!isHeavy || isPlainFunction(key, value)))
        .map(([key]) => key);
      const builtin = `process.getBuiltinModule(${JSON.stringify(name)})`;
      const lines = exported
        .filter((key) => key !== "default")
        .map((key) => {
          const value = isHeavy ? `(...args) => ${builtin}.${key}(...args)` : `builtin.${key}`;
          return `const ${key}_ = ${value};\nexport { ${key}_ as ${key} };`;
        });
      return [...(isHeavy ? [] : [`const builtin = ${builtin};\nexport default builtin;`]), ...lines].join("\n");
    },
  };
}

/** False for classes, which cannot be asked for in a function's place. */
function isPlainFunction(key: string, value: unknown): boolean {
  return typeof value === "function" && !/^[A-Z]/u.test(key);
}

/** Writes answers into modules that would ask the package.json beside their own file, which a bundle does not have. */
export function answerModules(answers: Readonly<Record<string, string>>): Plugin {
  return {
    name: "answer-modules",
    load(id) {
      const code = answers[path.normalize(id)];
      return code === undefined ? null : { code, moduleType: "js" };
    },
  };
}
