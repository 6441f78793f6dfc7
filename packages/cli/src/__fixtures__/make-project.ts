import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";

/** A package in plain JavaScript that brings its own brand, so that it needs no other package. */
const TOOLS = `
const tool = (spec, execute) => ({
  [Symbol.for("@aiw/core/tool")]: true,
  contractVersion: 1,
  spec: { type: "function", ...spec, metadata: { tags: ["demo"], permissions: [], effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false }, ...spec.metadata } },
  execute,
});
const text = { type: "object", properties: { text: { type: "string", description: "The text." } }, required: ["text"], additionalProperties: false };
const none = { type: "object", properties: {}, additionalProperties: false };

export const echo = tool({ name: "echo", description: "Gives the text back.", inputSchema: text }, ({ text }) => text);
export const fail = tool({ name: "fail", description: "Fails.", inputSchema: none }, () => { throw new Error("bang"); });
export const wipe = tool({ name: "wipe", description: "Wipes.", inputSchema: none, metadata: { effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false } } }, () => ({ wiped: true }));
export const tick = tool({ name: "tick", description: "Ticks until it is stopped.", inputSchema: none }, async function* (_input, { signal }) {
  for (;;) {
    yield "tick\\n";
    await new Promise((resolve) => { signal.addEventListener("abort", resolve, { once: true }); setTimeout(resolve, 20); });
  }
});
`;

/** A project with one tool package of the entry-map form, and more dependencies if given. */
export function makeProject(more: { readonly [name: string]: string } = {}): Promise<TemporaryWorkspace> {
  const dependencies = { "acme-tools": "1.0.0", ...Object.fromEntries(Object.keys(more).map((name) => [name, "1.0.0"])) };
  return temporaryWorkspace({
    "package.json": JSON.stringify({ name: "project", dependencies }),
    "node_modules/acme-tools/package.json": JSON.stringify({
      name: "acme-tools",
      version: "1.0.0",
      type: "module",
      aiwhisperer: { tools: { echo: "./tools.js#echo", fail: "./tools.js#fail", tick: "./tools.js#tick", wipe: "./tools.js#wipe" } },
    }),
    "node_modules/acme-tools/tools.js": TOOLS,
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [`node_modules/${name}/package.json`, text])),
  });
}

/** A module of one tool in plain JavaScript, as a project's own code may be. */
export function toolModule(name: string, { destructive = false }: { readonly destructive?: boolean } = {}): string {
  const effects = { readOnly: !destructive, destructive, idempotent: true, openWorld: false };
  const spec = { name, type: "function", description: `Does ${name}.`, inputSchema: { type: "object" }, metadata: { tags: [], permissions: [], effects } };
  return `globalThis.ran = [...(globalThis.ran ?? []), ${JSON.stringify(name)}];
export const ${name} = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(spec)}, execute: () => "${name} ran" };
`;
}
