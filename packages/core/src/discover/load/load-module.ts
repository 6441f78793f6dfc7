import { isTool, isToolPackage, type Tool } from "../../contract/tool.ts";
import { compareText, quote, toShownText } from "../../register/create-finding.ts";
import { findCollision, isRefusal, toCollision, type Refusal } from "../read/read-declaration.ts";
import { MAX_TOOLS } from "../read/read-manifest.ts";
import { importEntry, type LoadPorts, type ModuleLocation } from "./import-entry.ts";
import type { ModuleExports } from "./module-load.ts";
import { checkTool, guardTool } from "./bind-export.ts";
import { asObject, bindTool } from "./pick-tool.ts";
import { distinctCandidates, listCandidates, toCandidateTool, type Candidate } from "./tool-candidates.ts";

/** The tools of a module that alone knows them; those whose definition is wrong are left out. */
export interface ModuleTools {
  /** Bound, sorted by name. */
  readonly tools: readonly Tool[];
  readonly refusals: readonly Refusal[];
}

/** Imports a module, after a trial in another process, and takes all of its tools or none. */
export async function loadModule(location: ModuleLocation, ports: LoadPorts): Promise<ModuleTools | Refusal> {
  const entry = await importEntry(location, ports, { trial: true });
  if (isRefusal(entry)) return entry;
  return guardTool(() => {
    const { candidates, unused } = collect(entry.exports);
    const bound = bindAll(candidates, location);
    return isRefusal(bound) ? bound : { ...bound, refusals: [...bound.refusals, ...unused.map(refuseUnused)] };
  });
}

interface Collected {
  readonly candidates: readonly Candidate[];
  /** Tools that a default collection leaves out. */
  readonly unused: readonly Candidate[];
}

/** A default collection says what belongs to it; without one, every export that is a tool does. */
function collect(exports: ModuleExports): Collected {
  const byDefault = defaultOf(exports);
  const collection = toCollection(byDefault);
  const named = listNamed(exports, byDefault);
  if (collection === undefined) return { candidates: distinctCandidates(named), unused: [] };
  const all = distinctCandidates([...collection, ...named]);
  return { candidates: collection, unused: all.filter((one) => named.includes(one)) };
}

function listNamed(exports: ModuleExports, byDefault: unknown): Candidate[] {
  // Node sees only those exports of CommonJS that stand in its text.
  const members = transpiledOf(exports) ?? exports;
  const named = Object.keys(members)
    .toSorted(compareText)
    .flatMap((name) => listCandidates(name, name === "default" ? byDefault : members[name]));
  // Tools that were made of methods may know more than the class alone.
  return named.toSorted((a, b) => Number(a.method !== undefined) - Number(b.method !== undefined));
}

/** What CommonJS assigned to `module.exports`, compiled or not, else what the module exports as default. */
function defaultOf(exports: ModuleExports): unknown {
  const common = transpiledOf(exports);
  return common !== undefined && "default" in common ? common["default"] : exports["default"];
}

function transpiledOf(exports: ModuleExports): ModuleExports | undefined {
  const common = asObject(exports["default"]);
  return common?.["__esModule"] === true ? common : undefined;
}

function toCollection(value: unknown): readonly Candidate[] | undefined {
  if (isToolPackage(value)) return value.tools.map((tool, index) => ({ name: `default.tools[${index}]`, value: tool }));
  if (typeof value !== "object" || value === null || isTool(value)) return undefined;
  const members = Object.entries(value).map(([name, member]) => ({
    name: `default.${name}`,
    value: member as unknown,
  }));
  const tools = members.flatMap(({ name, value: member }) => listCandidates(name, member));
  if (tools.length === 0) return undefined;
  return distinctCandidates(Array.isArray(value) ? listItems(members) : tools);
}

/** In a list every object or function is meant as a tool (what is nothing may be left out by a condition). */
function listItems(members: readonly Candidate[]): Candidate[] {
  return members
    .filter(({ value }) => asObject(value) !== undefined)
    .flatMap((member) => {
      const tools = Array.isArray(member.value) ? [] : listCandidates(member.name, member.value);
      return tools.length > 0 ? tools : [member];
    });
}

function bindAll(candidates: readonly Candidate[], { module }: ModuleLocation): ModuleTools | Refusal {
  if (candidates.length === 0) {
    return {
      code: "no_tools",
      reason: `${module} exports no tool.`,
      fix: "Export what defineTool, defineToolPackage or toolsOf returns, or a class that extends BaseTool or has methods with @tool.",
    };
  }
  if (candidates.length > MAX_TOOLS) {
    const reason = `${module} exports ${candidates.length} tools, at most ${MAX_TOOLS} are taken.`;
    return { code: "declaration_invalid", reason, fix: "Split the package." };
  }
  const bound = candidates.map(bindOne);
  const tools = bound.filter((one): one is Tool => !isRefusal(one));
  const collision = findCollision(tools.map(({ spec }) => spec.name));
  if (collision !== undefined) return toCollision(collision, "/aiwhisperer/tools");
  return {
    tools: tools.toSorted((a, b) => compareText(a.spec.name, b.spec.name)),
    refusals: bound.filter((one) => isRefusal(one)),
  };
}

function refuseUnused({ name }: Candidate): Refusal {
  return {
    code: "export_unused",
    tool: toShownText(name),
    reason: `The export ${quote(name)} is a tool, and the default export, which says what belongs to the module, leaves it out.`,
    fix: "Add it to the default export, or have no default export.",
  };
}

/** A class that cannot be made or described (an exported base class, say) is left out alone. */
function bindOne(candidate: Candidate): Tool | Refusal {
  const { name } = candidate;
  const bound = guardTool(() => bindChecked(toCandidateTool(candidate)));
  return isRefusal(bound)
    ? { ...bound, tool: toShownText(name), reason: `The export ${quote(name)}: ${bound.reason}` }
    : bound;
}

function bindChecked(value: unknown): Tool | Refusal {
  if (!isTool(value)) {
    return { code: "export_invalid", reason: "It is no tool.", fix: "Export what defineTool returns." };
  }
  const checked = checkTool(value);
  return isRefusal(checked) ? checked : bindTool(value, checked.spec);
}
