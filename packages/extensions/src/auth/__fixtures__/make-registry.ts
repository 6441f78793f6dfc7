import { createEntry, defineTool, ToolRegistry, type Tool, type ToolEffects } from "@aiw/core";

/** A tool of a test: `package/name` or a name alone. */
export interface MadeTool {
  readonly id: string;
  readonly effects?: Partial<ToolEffects>;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly permissions?: readonly string[];
  /** False for a declaration whose definition only code tells. */
  readonly isTold?: boolean;
  readonly tool?: Tool;
}

/** A registry of tools, and which of their code was loaded and run. */
export interface MadeRegistry {
  readonly registry: ToolRegistry;
  readonly loaded: string[];
  readonly ran: string[];
}

const SAFE: ToolEffects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

export async function makeRegistry(tools: readonly MadeTool[]): Promise<MadeRegistry> {
  const registry = new ToolRegistry();
  const loaded: string[] = [];
  const ran: string[] = [];
  const entries = tools.map((made) => {
    const { id, isTold = true, tool = toTool(made, ran) } = made;
    const owner = ownerOf(id);
    return createEntry({
      id,
      name: tool.spec.name,
      origin: { source: "package", ...(owner !== undefined && { package: owner }) },
      ...(isTold && { spec: tool.spec }),
      load: async () => {
        loaded.push(id);
        return tool;
      },
    });
  });
  registry.addSource({ name: "test", list: async () => entries });
  await registry.readSources();
  return { registry, loaded, ran };
}

function ownerOf(id: string): string | undefined {
  const end = id.lastIndexOf("/");
  return end < 0 ? undefined : id.slice(0, end);
}

function toTool({ id, effects, category, tags = [], permissions = [] }: MadeTool, ran: string[]): Tool {
  return defineTool({
    name: id.slice(id.lastIndexOf("/") + 1),
    description: `Does ${id}.`,
    input: {
      type: "object",
      properties: {
        path: { type: "string" },
        paths: { type: "array", items: { type: "string" } },
        count: { type: "number" },
        mode: { type: "string" },
      },
      additionalProperties: false,
    },
    effects: { ...SAFE, ...effects },
    ...(category !== undefined && { category }),
    tags,
    permissions,
    execute: () => {
      ran.push(id);
      return "done";
    },
  }) as Tool;
}
