import { describe, expect, it } from "vitest";
import { withoutMedia } from "./without-media.ts";

describe("withoutMedia", () => {
  it("says how long media are instead of showing them", () => {
    const value = { content: "x", attachments: [{ type: "image", media_type: "image/png", data: "aGk=" }] };
    expect(withoutMedia(value)).toEqual({
      content: "x",
      attachments: [{ type: "image", media_type: "image/png", data: "(4 characters of base64)" }],
    });
  });

  it("leaves references, and whatever else a tool calls by that name, as they are", () => {
    const reference = { attachments: [{ type: "file", media_type: "text/plain", uri: "https://example.com/" }] };
    for (const value of [reference, { attachments: ["a.txt"] }, { data: "aGk=" }, "text", null])
      expect(withoutMedia(value)).toEqual(value);
  });
});
