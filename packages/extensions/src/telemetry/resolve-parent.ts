import type { ExtensionCall } from "@aiw/executor";
import type { Context, Link } from "@opentelemetry/api";
import type { OpenTelemetryApi } from "./packages.ts";
import { fromTraceContext } from "./trace-context.ts";

/** Where the span of a call hangs, and what it points to beside. */
export interface ParentContext {
  readonly parent: Context;
  readonly links: Link[];
}

/**
 * A call within a call hangs on the execution that made it, a call from elsewhere on the trace it brings, any other one on
 * what is active.
 */
export function resolveParent(api: OpenTelemetryApi, call: ExtensionCall, caller: Context | undefined): ParentContext {
  const active = api.context.active();
  if (caller !== undefined) return { parent: isWithin(api, active, caller) ? active : caller, links: [] };
  const given = call.parent === undefined ? call.traceContext : undefined;
  const remote = given === undefined ? undefined : fromTraceContext(api, given, active);
  if (remote === undefined) return { parent: active, links: [] };
  const ambient = api.trace.getSpanContext(active);
  const isLink = ambient !== undefined && api.isSpanContextValid(ambient);
  return { parent: remote, links: isLink ? [{ context: ambient }] : [] };
}

/** A span the tool itself opened around its call is nearer than the execution. */
function isWithin(api: OpenTelemetryApi, active: Context, caller: Context): boolean {
  const ambient = api.trace.getSpanContext(active);
  return ambient !== undefined && ambient.traceId === api.trace.getSpanContext(caller)?.traceId;
}
