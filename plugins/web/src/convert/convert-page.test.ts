import { describe, expect, it } from "vitest";
import { convertPage } from "./convert-page.ts";

const REQUEST = {
  html: "<title>T</title><p>text <b>bold</b>",
  url: "https://site.test/",
  format: "markdown",
  mainContent: false,
} as const;

describe("convertPage", () => {
  it("converts in a process of its own", async () => {
    expect(await convertPage(REQUEST, { signal: new AbortController().signal })).toMatchObject({
      title: "T",
      content: "text **bold**",
      extraction: "full",
    });
  });

  it("gives plain text and says why when the time is up", async () => {
    const result = await convertPage(REQUEST, { signal: new AbortController().signal, maxMs: 1 });
    expect(result).toMatchObject({
      content: "text bold",
      extraction: "text",
      notice: expect.stringContaining("longer than 0.001 s"),
    });
  });

  it("gives plain text and says why when the memory is used up", async () => {
    // Every short link grows by a base of eight kilobytes: gigabytes of absolute addresses.
    const html = `<base href="https://site.test/${"x".repeat(8000)}/"><p>text</p>${"<a href=y>z</a>".repeat(200_000)}`;
    const result = await convertPage({ ...REQUEST, html }, { signal: new AbortController().signal, maxMs: 30_000 });
    expect(result).toMatchObject({ extraction: "text", notice: expect.stringContaining("too much memory") });
  }, 40_000);

  it("ends with the signal", async () => {
    const controller = new AbortController();
    const converting = convertPage(REQUEST, { signal: controller.signal });
    controller.abort(new TypeError("enough"));
    await expect(converting).rejects.toThrow("enough");
    await expect(convertPage(REQUEST, { signal: controller.signal })).rejects.toThrow("enough");
  });
});
