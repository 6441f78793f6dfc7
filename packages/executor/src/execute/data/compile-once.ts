import type { Tool } from "@aiw/core";

/** Keeps what a tool's spec was compiled to; specs that fail are compiled again, since they fail the same way. */
export function compileOnce<Compiled>(compile: (tool: Tool) => Compiled): (tool: Tool) => Compiled {
  const known = new WeakMap<Tool, Compiled>();
  return (tool) => {
    const former = known.get(tool);
    if (former !== undefined) return former;
    const compiled = compile(tool);
    known.set(tool, compiled);
    return compiled;
  };
}
