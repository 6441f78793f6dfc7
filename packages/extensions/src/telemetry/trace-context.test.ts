import * as api from "@opentelemetry/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromTraceContext, toTraceContext } from "./trace-context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const GOOD = `00-${TRACE}-${SPAN}-01`;

describe("fromTraceContext", () => {
  it("reads a trace, its state and its baggage", () => {
    const context = fromTraceContext(
      api,
      { traceparent: GOOD, tracestate: "a=1,b=2", baggage: "user=ann, bad entry, =x, mail=a%40b ; p=1;q" },
      api.ROOT_CONTEXT,
    );
    expect(context && api.trace.getSpanContext(context)).toMatchObject({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
      isRemote: true,
    });
    expect(context && toTraceContext(api, context)).toEqual({
      traceparent: GOOD,
      tracestate: "a=1,b=2",
      baggage: "user=ann,mail=a%40b;p=1;q",
    });
  });

  it("reads a later version as far as it is known, and its sampling alone", () => {
    const context = fromTraceContext(api, { traceparent: `cc-${TRACE}-${SPAN}-09-later` }, api.ROOT_CONTEXT);
    expect(context && toTraceContext(api, context)).toEqual({ traceparent: GOOD });
  });

  it.each([
    "",
    "nonsense",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `${GOOD}${"x".repeat(1000)}`,
    7,
    null,
    undefined,
    { toString: () => GOOD },
  ])("takes %j for no trace", (traceparent) => {
    expect(fromTraceContext(api, { traceparent: traceparent as string }, api.ROOT_CONTEXT)).toBeUndefined();
  });

  it("passes on nothing that could end a header", () => {
    const context = fromTraceContext(
      api,
      { traceparent: GOOD, tracestate: "a=1\r\nevil: 1", baggage: "a=1;p\r\nevil: 1,b=2%0d%0a" },
      api.ROOT_CONTEXT,
    );
    const {
      traceparent,
      tracestate = "",
      baggage = "",
    } = (context && toTraceContext(api, context)) ?? { traceparent: "" };
    expect([traceparent, tracestate, baggage].join("")).not.toMatch(/[\r\n]/);
    expect(baggage).toBe("a=1,b=2%0D%0A");
  });

  it("survives any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (tracestate, baggage) => {
        const context = fromTraceContext(api, { traceparent: GOOD, tracestate, baggage }, api.ROOT_CONTEXT);
        const written = context && toTraceContext(api, context);
        expect(written?.traceparent).toBe(GOOD);
        expect(written?.baggage ?? "").toMatch(/^[\u0020-\u007e]*$/);
      }),
    );
  });
});

describe("toTraceContext", () => {
  it("gives nothing where no span is", () => {
    expect(toTraceContext(api, api.ROOT_CONTEXT)).toBeUndefined();
    expect(toTraceContext(api, api.trace.setSpanContext(api.ROOT_CONTEXT, api.INVALID_SPAN_CONTEXT))).toBeUndefined();
  });

  it("writes any baggage so that it is read as it was", () => {
    const keys = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);
    const values = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(keys, values), { maxLength: 10, selector: ([key]) => key }), (entries) => {
        const baggage = api.propagation.createBaggage(
          Object.fromEntries(entries.map(([key, value]) => [key, { value }])),
        );
        const span = { traceId: TRACE, spanId: SPAN, traceFlags: 1 };
        const context = api.propagation.setBaggage(api.trace.setSpanContext(api.ROOT_CONTEXT, span), baggage);
        const written = toTraceContext(api, context);
        const read = written && fromTraceContext(api, written, api.ROOT_CONTEXT);
        const found = (read && api.propagation.getBaggage(read)?.getAllEntries()) ?? [];
        expect(new Map(found.map(([key, { value }]) => [key, value]))).toEqual(new Map(entries));
      }),
    );
  });
});
