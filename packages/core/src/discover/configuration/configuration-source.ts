import type { JsonSchema } from "../../contract/json.ts";
import type { ToolEntry } from "../../contract/tool-source.ts";
import type { WideningPart } from "../../config/split-config.ts";
import { showPart } from "../../config/show-part.ts";
import type { ReportingSource } from "../../register/compose-report.ts";
import { toPointer } from "../../schema/json-pointer.ts";
import type { ProjectConfig } from "./read-project-config.ts";

/** The schemas of packages' options, by the key the project wrote; known once packages were listed. */
export type OptionSchemas = () => ReadonlyMap<string, JsonSchema>;

/** Brings no tools: it reports what of a project's configuration waits for a person. */
export class ConfigurationSource implements ReportingSource {
  readonly name = "configuration";
  readonly #config: Pick<ProjectConfig, "waiting" | "widening" | "findings">;
  readonly #schemas: OptionSchemas;

  constructor(config: Pick<ProjectConfig, "waiting" | "widening" | "findings">, schemas: OptionSchemas) {
    this.#config = config;
    this.#schemas = schemas;
  }

  get report(): ReportingSource["report"] {
    const { waiting, widening, findings } = this.#config;
    const parts = widening && this.#show(widening);
    const shown = parts === undefined ? waiting : waiting.map((request) => ({ ...request, parts }));
    return { found: [], rejected: [], missing: [], notEnabled: findings, waiting: shown };
  }

  /** Which options are secret their package's schema says. */
  #show(widening: readonly WideningPart[]): string[] {
    const schemas = new Map([...this.#schemas()].map(([key, schema]) => [toPointer(["plugins", key]), schema]));
    return widening.map((part) => {
      const schema = schemas.get(part.pointer);
      return schema === undefined ? part.text : showPart(part, schema);
    });
  }

  async list(): Promise<readonly ToolEntry[]> {
    return [];
  }
}
