import { defineDataTool, executeCall, validateCall } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { fakeContext } from "./fake-context.ts";
import { fakeExecutor, type FakeExecutor } from "./fake-executor.ts";

const tool = defineDataTool({
  name: "get_user",
  description: "Gets a user.",
  type: "http",
  inputSchema: { type: "object", properties: { id: { type: "integer" } } },
  implementation: { url: "https://api.test/users/{id}" },
});

async function call(executor: FakeExecutor): Promise<unknown> {
  await using fake = fakeContext();
  const run: FakeExecutor["execute"] = (admitted, context) => executor.execute(admitted, context);
  return await executeCall(await validateCall(tool, { id: 1 }), fake.context, { run });
}

describe("fakeExecutor", () => {
  it("gives values and what functions make, and remembers its calls", async () => {
    const executor = fakeExecutor({ get_user: { name: "Ada" } });
    expect(await call(executor)).toEqual({ name: "Ada" });
    expect(await call(fakeExecutor({ get_user: (input: unknown) => Promise.resolve([input]) }))).toEqual([{ id: 1 }]);
    expect(executor.calls).toEqual([{ name: "get_user", input: { id: 1 } }]);
  });

  it.each(["other", "toString"])("fails for a tool without an answer, though it has one for %s", async (name) => {
    await expect(call(fakeExecutor({ [name]: 1 }))).rejects.toMatchObject({ code: "failed" });
  });
});
