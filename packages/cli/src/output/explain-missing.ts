import type { DiscoveryReport, Finding } from "@aiw/core";
import { findingsOf } from "./problems-of.ts";

/** Findings that say why a tool of this name, or full id, is not there; those of packages whose tools are unknown may be meant too. */
export function explainMissing(name: string, report: DiscoveryReport): Finding[] {
  return findingsOf(report).filter(({ package: key, tool, tools = [] }) =>
    [...tools, ...(tool === undefined ? [] : [tool])].some((one) => one === name || `${key}/${one}` === name),
  );
}
