import { describe, expect, it } from "vitest";
import { makeAudited } from "./__fixtures__/audited-tools.ts";
import { memorySink } from "./memory-sink.ts";

describe("audit", () => {
  it("records a suspended call once, at its real end", async () => {
    const sink = memorySink();
    const { executor } = makeAudited({ sink });
    const suspended = await executor.execute("wipe", {}, { callId: "c1", suspend: true });
    expect(suspended).toMatchObject({ suspended: true });
    expect(sink.records).toEqual([]);
    if (!("suspended" in suspended)) return;
    const [request] = suspended.requests;
    const result = await executor.resume("c1", suspended.state, { [request?.key ?? ""]: { decision: "allow" } });
    expect(result).toMatchObject({ success: true });
    expect(sink.records).toMatchObject([{ callId: "c1", outcome: { status: "ok" }, approval: { decision: "allow" } }]);
  });
});
