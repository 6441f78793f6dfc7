import type { ToolEntry } from "../../contract/tool-source.ts";
import type { ReportingSource } from "../../register/compose-report.ts";
import type { ProjectConfig } from "./read-project-config.ts";

/** Brings no tools: it reports what of a project's configuration waits for a person. */
export class ConfigurationSource implements ReportingSource {
  readonly name = "configuration";
  readonly report: ReportingSource["report"];

  constructor({ waiting, findings }: Pick<ProjectConfig, "waiting" | "findings">) {
    this.report = { found: [], rejected: [], missing: [], notEnabled: findings, waiting };
  }

  async list(): Promise<readonly ToolEntry[]> {
    return [];
  }
}
