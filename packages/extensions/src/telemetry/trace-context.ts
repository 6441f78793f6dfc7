import type { TraceContext } from "@aiw/core";
import type { BaggageEntry, Context, SpanContext } from "@opentelemetry/api";
import type { OpenTelemetryApi } from "./packages.ts";

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Bounds of the W3C recommendations. */
const MAX_TRACEPARENT = 512;
const MAX_TRACESTATE = 8192;
const MAX_BAGGAGE = 8192;
const MAX_BAGGAGE_ENTRIES = 64;

/** A name of the HTTP grammar. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What may stand in a header beside names and encoded values. */
const PRINTABLE = /^[\u0020-\u007e]+$/;

/** Puts a trace that came from elsewhere into a context; undefined for what is no trace context. */
export function fromTraceContext(api: OpenTelemetryApi, given: TraceContext, context: Context): Context | undefined {
  const span = toSpanContext(api, given);
  if (span === undefined) return undefined;
  const within = api.trace.setSpanContext(context, span);
  const entries = readBaggage(api, given.baggage);
  return entries === undefined ? within : api.propagation.setBaggage(within, api.propagation.createBaggage(entries));
}

/** The span and the baggage of a context in the words of W3C; undefined where no span is. */
export function toTraceContext(api: OpenTelemetryApi, context: Context): TraceContext | undefined {
  const span = api.trace.getSpanContext(context);
  if (span === undefined || !api.isSpanContextValid(span)) return undefined;
  const { traceId, spanId, traceFlags } = span;
  const tracestate = span.traceState?.serialize() ?? "";
  const baggage = writeBaggage(api, context);
  return {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`,
    ...(tracestate !== "" && { tracestate }),
    ...(baggage !== "" && { baggage }),
  };
}

function toSpanContext(api: OpenTelemetryApi, { traceparent, tracestate }: TraceContext): SpanContext | undefined {
  const text = readText(traceparent, MAX_TRACEPARENT)?.trim().toLowerCase();
  const [, version, traceId, spanId, flags, rest] = text === undefined ? [] : (TRACEPARENT.exec(text) ?? []);
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  const state = readText(tracestate, MAX_TRACESTATE);
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED,
    isRemote: true,
    ...(state !== undefined && { traceState: api.createTraceState(state) }),
  };
  return api.isSpanContextValid(span) ? span : undefined;
}

/** Entries that are none are left out; the others still count. */
function readBaggage(api: OpenTelemetryApi, given: unknown): Record<string, BaggageEntry> | undefined {
  const text = readText(given, MAX_BAGGAGE);
  if (text === undefined) return undefined;
  const entries = text
    .split(",")
    .slice(0, MAX_BAGGAGE_ENTRIES)
    .flatMap((member): [string, BaggageEntry][] => {
      const [pair = "", ...properties] = member.split(";");
      const at = pair.indexOf("=");
      const key = pair.slice(0, at).trim();
      const value = decode(pair.slice(at + 1).trim());
      if (at < 1 || !TOKEN.test(key) || value === undefined) return [];
      const metadata = properties.map((property) => property.trim()).join(";");
      if (!PRINTABLE.test(metadata)) return [[key, { value }]];
      return [[key, { value, metadata: api.baggageEntryMetadataFromString(metadata) }]];
    });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function writeBaggage(api: OpenTelemetryApi, context: Context): string {
  const entries = api.propagation.getBaggage(context)?.getAllEntries() ?? [];
  let written = "";
  for (const [key, { value, metadata }] of entries.slice(0, MAX_BAGGAGE_ENTRIES)) {
    if (!TOKEN.test(key)) continue;
    const properties = metadata === undefined ? "" : `;${metadata.toString()}`;
    const member = `${key}=${encodeURIComponent(value.toWellFormed())}${properties}`;
    const next = written === "" ? member : `${written},${member}`;
    if (next.length <= MAX_BAGGAGE) written = next;
  }
  return written;
}

/** Traces come from outside, where types promise nothing. */
function readText(value: unknown, limit: number): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= limit ? value : undefined;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
