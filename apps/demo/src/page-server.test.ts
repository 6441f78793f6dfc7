import { describe, expect, it } from "vitest";
import { startPageServer } from "./page-server.ts";

describe("startPageServer", () => {
  it("serves the page at its root until it is disposed of", async () => {
    const server = await startPageServer("<p>hello</p>");
    expect(server.url).toBe(`http://${server.host}/`);
    expect(server.host).toMatch(/^127\.0\.0\.1:\d+$/u);
    const found = await fetch(server.url);
    expect([found.status, found.headers.get("content-type"), await found.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      "<p>hello</p>",
    ]);
    const missing = await fetch(`${server.url}robots.txt`);
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
    await missing.text();
    expect((await fetch(server.url, { method: "POST" })).status).toBe(404);
    await server[Symbol.asyncDispose]();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});
