import { findBreaking } from "./find-breaking.ts";
import { findWidened } from "./find-widened.ts";
import type { InspectedPackage, InspectedTool } from "./inspect/inspected-package.ts";

/** A package that was looked at, as data for programs; what is not known is null. */
export function toJson(inspected: InspectedPackage): object {
  const { name, version, request, former, form, tools, requiredOptions, content, brings, scripts, registry, facts } =
    inspected;
  return {
    name,
    version,
    requested: request.text,
    installed: former?.version ?? null,
    form: form ?? null,
    tools: tools.map(toToolJson),
    requiredOptions,
    files: content.files,
    bytes: content.bytes,
    brings,
    scripts,
    commands: inspected.commands,
    published: registry?.published ?? null,
    deprecated: registry?.deprecated ?? null,
    provenance: registry?.provenance ?? null,
    repository: facts.repository ?? null,
    license: facts.license ?? null,
    node: facts.node ?? null,
    lookAlikes: inspected.lookAlikes,
    shadowed: inspected.shadowed,
    taken: inspected.taken,
    notes: inspected.notes,
    widened: findWidened(former?.locked, inspected.locked),
    breaking: findBreaking(former?.locked, inspected.locked),
    differences: inspected.differences,
  };
}

function toToolJson({ name, spec }: InspectedTool): object {
  if (spec === undefined) return { name, description: null, effects: null, permissions: null };
  const { effects, permissions, requiresApproval = false } = spec.metadata;
  return { name, description: spec.description, effects, permissions, requiresApproval };
}
