import type { ToolEntry } from "../contract/tool-source.ts";

/** Makes a frozen entry; its options do not appear when an entry is printed, since they may hold secrets. */
export function createEntry(parts: ToolEntry): ToolEntry {
  const { id, name, origin, spec, options, isLoaded, resolveCode, load } = parts;
  const entry = {
    id,
    name,
    origin: Object.freeze({ ...origin }),
    ...(spec !== undefined && { spec }),
    ...(isLoaded && { isLoaded }),
    ...(resolveCode && { resolveCode }),
    load,
  };
  if (options !== undefined) Object.defineProperty(entry, "options", { value: options, enumerable: false });
  return Object.freeze(entry);
}
