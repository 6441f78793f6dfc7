import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, ToolRegistry, type Tool } from "@aiw/core";
import { UnifiedToolExecutor, type UnifiedToolExecutorOptions } from "@aiw/executor";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { audit, type AuditExtension } from "../audit.ts";
import type { AuditOptions } from "../audit-options.ts";
import { fileSource } from "../read/file-source.ts";
import { verifyTrail, type TrailVerdict, type VerifyTrailOptions } from "../read/verify-trail.ts";
import type { AuditCallEntry } from "../audit-entry.ts";

export const TOOLS: readonly Tool[] = [
  defineTool({ name: "echo", description: "Echoes.", input: z.looseObject({}), effects: "pure", execute: (input) => input }),
  defineTool({
    name: "fail",
    description: "Fails.",
    effects: "pure",
    execute: () => {
      throw new TypeError("bang");
    },
  }),
  defineTool({
    name: "wipe",
    description: "Wipes.",
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    execute: () => "wiped",
  }),
  defineTool({
    name: "hang",
    description: "Waits for its signal.",
    effects: "pure",
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
  }),
  defineTool({
    name: "outer",
    description: "Calls echo.",
    effects: "pure",
    execute: async (_input, context) => (await context.callTool("echo", {})).success,
  }),
];

/** An executor with one audit extension; closed with the test. */
export function makeAudited(
  options: AuditOptions,
  more: UnifiedToolExecutorOptions = {},
): { readonly executor: UnifiedToolExecutor; readonly extension: AuditExtension } {
  const registry = new ToolRegistry();
  for (const tool of TOOLS) registry.register(tool);
  const extension = audit(options);
  const executor = new UnifiedToolExecutor(registry, { ...more, extensions: [extension] });
  onTestFinished(() => executor.close());
  return { executor, extension };
}

/** A folder of its own for a test. */
export async function makeFolderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "aiw-audit-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Checks the chain of a file. */
export function verifyFile(path: string, options: VerifyTrailOptions = {}): Promise<TrailVerdict> {
  return verifyTrail(fileSource(path), options);
}

/** An entry that differs by its number alone. */
export function makeEntry(number: number, more: Partial<AuditCallEntry> = {}): AuditCallEntry {
  return {
    kind: "call",
    time: new Date(1_700_000_000_000 + number).toISOString(),
    callId: `call-${number}`,
    tool: { id: "acme/echo", name: "echo", known: true },
    arguments: { number },
    outcome: { status: "ok" },
    startedAt: 1_700_000_000_000 + number,
    durationMs: number / 1000,
    attempts: 1,
    ...more,
  };
}
