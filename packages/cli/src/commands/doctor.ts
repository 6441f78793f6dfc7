import type { DiscoveryReport } from "@aiw/core";
import { discoverTools } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { formatReport, problemsOf } from "../output/format-report.ts";
import { printJson, printLine } from "../output/print.ts";
import { inspectHost, readHostFacts, type HostCheck } from "./inspect-host.ts";

/** `aiw doctor` */
export const doctor: Command = {
  name: "doctor",
  summary: "What was found, what was not and why, and fixes",
  help: `Usage: aiw doctor [--json] [--cwd DIR]

Reports what discovery found and refused, loads every definition, and checks this machine.
Exit code 4 when a package or tool cannot be used.`,
  options: {},
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json }) {
    const registry = await discoverTools({ projectDir: cwd });
    await registry.load();
    const { report } = registry;
    const checks = inspectHost(await readHostFacts(cwd));
    if (json) printJson(io.stdout, { ok: isHealthy(report), report, checks });
    else printLine(io.stdout, [formatReport(report), ...checks.map(sayCheck), verdict(report)].join("\n"));
    return isHealthy(report) ? EXIT.ok : EXIT.configuration;
  },
};

function isHealthy(report: DiscoveryReport): boolean {
  return !problemsOf(report).some(({ severity }) => severity === "error");
}

function sayCheck({ name, level, message }: HostCheck): string {
  return `${name.padEnd(9)} ${level === "ok" ? "" : "warning: "}${message}`;
}

function verdict(report: DiscoveryReport): string {
  const usable = report.found.filter(({ tools }) => tools === undefined || tools.length > 0);
  const tools = usable.reduce((sum, { tools: names = [] }) => sum + names.length, 0);
  const problems = problemsOf(report).length;
  const said = problems === 0 ? "no problems with packages" : problems === 1 ? "1 problem" : `${problems} problems`;
  return `\n${tools} tools of ${usable.length} packages, ${said}.`;
}
