import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RenderedPage } from "../render-page.ts";
import { cleanUntrusted } from "../untrusted.ts";
import { composeOutput, type ShownPage } from "./compose-output.ts";

function show(
  text: string,
  more: Partial<RenderedPage> & { url?: string; redirects?: readonly string[] } = {},
): ShownPage {
  const { url = "https://a.test/", redirects = [], ...rendered } = more;
  return {
    url,
    startIndex: 0,
    maxChars: 30_000,
    fromCache: false,
    page: {
      finalUrl: url,
      redirects,
      statusCode: 200,
      contentType: "text/plain",
      etag: undefined,
      lastModified: undefined,
      body: new Uint8Array(10),
      mayBeStored: true,
      isNotModified: false,
    },
    rendered: { text, charset: "utf-8", extraction: "verbatim", ...rendered },
  };
}

/** Reads a page to its end as a model would. */
function readAll(shown: ShownPage, budget: number): string {
  let read = "";
  for (let startIndex: number | undefined = 0; startIndex !== undefined;) {
    const output = composeOutput({ ...shown, startIndex }, budget);
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(budget);
    expect(output.truncated ?? false).toBe(output.next_index !== undefined);
    expect(output.total_chars).toBe(shown.rendered.text.length);
    const content = output.content.split("\n").slice(1, -1).join("\n");
    if (output.next_index !== undefined) expect(output.next_index).toBe(startIndex + content.length);
    read += content;
    startIndex = output.next_index;
  }
  return read;
}

const LINKS = Array.from({ length: 100 }, (_, index) => ({ text: `link ${index}`, url: `https://a.test/${index}` }));

describe("composeOutput", () => {
  it("gives windows within the budget that are the text when put together, whatever JSON makes of it", () => {
    const piece = fc.constantFrom("word ", '"', "\\", "\n", "😀", "<", "\u2603");
    const text = fc.array(piece, { minLength: 1, maxLength: 5000 }).map((pieces) => cleanUntrusted(pieces.join("")));
    fc.assert(
      fc.property(text, fc.integer({ min: 800, max: 4000 }), (page, budget) => {
        expect(readAll(show(page), budget)).toBe(page);
      }),
      { numRuns: 50 },
    );
  });

  it("uses the room there is, and says that it lowered max_chars", () => {
    const output = composeOutput(show("x".repeat(100_000)), 30_000);
    const { length } = JSON.stringify(output);
    expect(length).toBeGreaterThan(29_900);
    expect(output.notices).toEqual([
      `max_chars was lowered from 30000 to ${output.next_index}, since 30000 characters of a result are passed on; read on at next_index`,
    ]);
  });

  it("says nothing where the caller got what was asked for", () => {
    const shown = { ...show("x".repeat(100_000)), maxChars: 1000 };
    expect(composeOutput(shown, 30_000)).toEqual(composeOutput(shown));
    expect(composeOutput(shown)).not.toHaveProperty("notices");
  });

  it("leaves out links before content", () => {
    const some = composeOutput(show("x".repeat(2000), { links: LINKS }), 4000);
    expect(some).not.toHaveProperty("truncated");
    expect(some.links?.length).toBeGreaterThan(10);
    expect(some.notices).toEqual([`${some.links?.length} of 100 links are shown, to leave room for the content`]);
    const none = composeOutput(show("x".repeat(20_000), { links: LINKS }), 4000);
    expect(none).not.toHaveProperty("links");
    expect(none.notices?.[1]).toBe("0 of 100 links are shown, to leave room for the content");
  });

  it("keeps room for content beside endless addresses", () => {
    const url = `https://a.test/?${"a&".repeat(4000)}`;
    const text = "word\n".repeat(2000);
    const shown = show(text, { url, redirects: Array.from({ length: 4 }, () => url) });
    expect(readAll(shown, 10_000)).toBe(text);
    expect(composeOutput(shown, 10_000).notices?.at(-1)).toContain("addresses");
    expect(composeOutput(shown).final_url).toBe(url);
  });
});
