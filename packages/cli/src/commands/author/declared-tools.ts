/** What `aiwhisperer` of package.json says of its tools, as far as an author's command needs it. */
export type DeclaredTools =
  | { readonly form: "none" }
  /** The published form. */
  | { readonly form: "manifest"; readonly path: string }
  | { readonly form: "module"; readonly module: string }
  /** Names of tools, and the modules they are in, each once. */
  | { readonly form: "map"; readonly names: readonly string[]; readonly modules: readonly string[] }
  | { readonly form: "invalid"; readonly reason: string };

/** Reads the declaration without judging its paths; whoever opens them does. */
export function readDeclaredTools(packageJson: Readonly<Record<string, unknown>>): DeclaredTools {
  const declaration = packageJson["aiwhisperer"];
  if (declaration === undefined) return { form: "none" };
  if (!isRecord(declaration)) return { form: "invalid", reason: "aiwhisperer is no object" };
  const tools = declaration["tools"];
  if (tools === undefined) return { form: "none" };
  if (typeof tools === "string")
    return tools.endsWith(".json") ? { form: "manifest", path: tools } : { form: "module", module: tools };
  if (!isRecord(tools)) return { form: "invalid", reason: "aiwhisperer.tools is neither a path nor an object of them" };
  const entries = Object.values(tools);
  if (!entries.every((entry) => typeof entry === "string"))
    return { form: "invalid", reason: "aiwhisperer.tools has a member that is no text" };
  return { form: "map", names: Object.keys(tools), modules: [...new Set(entries.map(toModule))] };
}

/** An entry is split at its last `#`. */
function toModule(entry: string): string {
  const hash = entry.lastIndexOf("#");
  return hash < 0 ? entry : entry.slice(0, hash);
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
