import { describe, expect, it } from "vitest";
import { chooseModel } from "./choose-model.ts";
import { startJsonServer } from "./__fixtures__/json-server.ts";

const signal = new AbortController().signal;

describe("chooseModel", () => {
  it("takes the offline planner when nothing is set up, and says that it is no language model", async () => {
    const { model, description } = await chooseModel({}, { OPENROUTER_API_KEY: " " }, signal);
    expect(model).toMatchObject({ provider: "offline-planner" });
    expect(description).toContain("not a language model");
  });

  it("takes OpenRouter with its key, and any model there", async () => {
    const env = { OPENROUTER_API_KEY: "key", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    expect((await chooseModel({ model: "a/b" }, env, signal)).model).toMatchObject({
      modelId: "a/b",
      provider: expect.stringContaining("openrouter"),
    });
    expect((await chooseModel({}, env, signal)).description).toBe("openrouter/auto at OpenRouter");
  });

  it("prefers a server that is named, and hides credentials of its address", async () => {
    const chosen = await chooseModel(
      { model: "m", baseUrl: "http://me:secret@127.0.0.1:1/v1" },
      { OPENROUTER_API_KEY: "key" },
      signal,
    );
    expect(chosen.description).toBe("m at http://127.0.0.1:1/v1");
    expect(chosen.model).toMatchObject({ modelId: "m" });
  });

  it("asks a server for its models when none is named, with the key", async () => {
    await using server = await startJsonServer((path, headers) => ({
      data: [{ id: `${path} ${headers.authorization ?? ""}` }],
    }));
    const { model } = await chooseModel({}, { OPENAI_BASE_URL: `${server.url}/v1/`, OPENAI_API_KEY: "k" }, signal);
    expect(model).toMatchObject({ modelId: "/v1/models Bearer k" });
  });

  it.each([[{ data: [] }], [{ data: "x" }], [null], [{ data: [{ name: "x" }] }]])(
    "says what to do when a server lists %j",
    async (answer) => {
      await using server = await startJsonServer(() => answer);
      await expect(chooseModel({ baseUrl: server.url }, {}, signal)).rejects.toThrow("Name one with --model");
    },
  );

  it("says what to do when no server answers", async () => {
    const server = await startJsonServer(() => null);
    await server[Symbol.asyncDispose]();
    await expect(chooseModel({ baseUrl: server.url }, {}, signal)).rejects.toThrow(
      /does not say which models.*--model/u,
    );
  });

  it("refuses a model that nobody serves, and an address that is none", async () => {
    await expect(chooseModel({ model: "m" }, {}, signal)).rejects.toThrow("--model m needs OPENROUTER_API_KEY");
    await expect(chooseModel({}, { OPENAI_BASE_URL: "localhost" }, signal)).rejects.toThrow("OPENAI_BASE_URL must be");
  });
});
