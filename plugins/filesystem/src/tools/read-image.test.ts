import { runTool, toModelResult, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { makeImage, type ImageFormat } from "../__fixtures__/make-image.ts";
import { runs } from "../__fixtures__/runs.ts";
import { readImageSize } from "../read/image-size.ts";
import { memorySource } from "../text/byte-source.ts";
import { read, type ReadOutput } from "./read.ts";

async function see(bench: Bench, input: object): Promise<ReadOutput> {
  const result: ToolResult<ReadOutput> = await runTool(read, input, {
    ...bench.fake.environment,
    options: { vision: true },
  });
  if (!result.success) throw new Error(result.error);
  return result.value;
}

const FORMATS: readonly [ImageFormat, string][] = [
  ["png", "image/png"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["webp-lossless", "image/webp"],
  ["webp-extended", "image/webp"],
];
const FIVE_MEBIBYTES = 5 * 1024 * 1024;

describe("read, of images", () => {
  it.each(FORMATS)("attaches %s where the operator says that the model sees", async (format, type) => {
    const image = makeImage(format, [640, 480]);
    await using bench = await openBench({ "photo.bin": image });
    const value = await see(bench, { file_paths: ["photo.bin"] });
    expect(value.attachments).toEqual([
      { type: "image", media_type: type, data: image.toString("base64"), name: "photo.bin" },
    ]);
    expect(value.files).toMatchObject([{ kind: "image", media_type: type, width: 640, height: 480 }]);
    expect(value.content).toBe(`=== photo.bin ===\n[image, ${type}, 640×480 pixels, ${image.length} bytes; attached]`);
    expect(value.tokens_estimate).toBeGreaterThan((640 * 480) / 750);
    expect(value).not.toHaveProperty("notices");
  });

  it("gives facts alone, and says why, where the operator does not say that the model sees", async () => {
    await using bench = await openBench({ "photo.png": makeImage("png", [640, 480]) });
    const value = await bench.ok(read, { file_paths: ["photo.png"] });
    expect(value).not.toHaveProperty("attachments");
    expect(value.files).toMatchObject([{ kind: "image", width: 640, height: 480 }]);
    expect(value.notices).toEqual([
      "photo.png is not attached: the operator has not declared that the model sees images (option vision).",
    ]);
  });

  it("oversized image: judged by header bytes before attaching; a note, never the original", async () => {
    await using bench = await openBench({
      "wide.png": makeImage("png", [2001, 10]),
      "tall.jpg": makeImage("jpeg", [10, 2001]),
      "heavy.gif": makeImage("gif", [10, 10], FIVE_MEBIBYTES + 1),
      "limit.png": makeImage("png", [2000, 2000], FIVE_MEBIBYTES),
    });
    const value = await see(bench, { file_paths: ["wide.png", "tall.jpg", "heavy.gif", "limit.png"] });
    expect(value.attachments).toMatchObject([{ name: "limit.png" }]);
    expect(value.notices).toEqual([
      "wide.png is not attached: it has 2001×10 pixels, and at most 2000×2000 are shown.",
      "tall.jpg is not attached: it has 10×2001 pixels, and at most 2000×2000 are shown.",
      `heavy.gif is not attached: it has ${FIVE_MEBIBYTES + 1} bytes, and at most ${FIVE_MEBIBYTES} are shown.`,
    ]);
  });

  it("PNG named .jpg: attached as what its bytes are; `.ts` taken for video: shown as text", async () => {
    await using bench = await openBench({
      "photo.jpg": makeImage("png", [3, 2]),
      "main.ts": "G is 0x47, with which packets of a transport stream begin\n",
    });
    const value = await see(bench, { file_paths: ["photo.jpg", "main.ts"] });
    expect(value.attachments).toMatchObject([{ media_type: "image/png", name: "photo.jpg" }]);
    expect(value.files[1]).toMatchObject({ kind: "text", total_lines: 1 });
  });

  it("does not attach what has no size, or is of a format that models do not take", async () => {
    await using bench = await openBench({
      "cut.jpg": makeImage("jpeg", [10, 10]).subarray(0, 30),
      "empty.gif": makeImage("gif", [0, 10]),
      "old.bmp": Buffer.from(
        `424d36000000000000003600000028000000${"01000000".repeat(2)}01001800${"00".repeat(40)}`,
        "hex",
      ),
    });
    const value = await see(bench, { file_paths: ["cut.jpg", "empty.gif", "old.bmp"] });
    expect(value).not.toHaveProperty("attachments");
    expect(value.files.map(({ kind }) => kind)).toEqual(["image", "image", "image"]);
    expect(value.notices?.join("\n")).toMatch(/cut\.jpg .*header.*\nempty\.gif .*header.*\nold\.bmp .*image\/bmp/u);
  });

  it("keeps images to the call's tokens and to what one answer can carry", async () => {
    const large = makeImage("png", [1900, 1900], FIVE_MEBIBYTES);
    const names = ["a.png", "b.png", "c.png", "d.png", "e.png"];
    await using bench = await openBench(Object.fromEntries(names.map((name) => [name, large])));
    const short = await see(bench, { file_paths: names, max_tokens: 6000 });
    expect(short.attachments).toHaveLength(1);
    expect(short.notices?.[0]).toContain("more than max_tokens leaves");
    const many = await see(bench, { file_paths: names, max_tokens: 100_000 });
    expect(many.attachments).toHaveLength(4);
    expect(many.notices).toEqual([expect.stringMatching(/^e\.png .* take too much together/u)]);
  });

  it("gives the model the facts in words and the image beside them", async () => {
    await using bench = await openBench({ "a.png": makeImage("png", [3, 2]) });
    const environment = { ...bench.fake.environment, options: { vision: true } };
    const result = await runTool(read, { file_paths: ["a.png"] }, environment);
    expect(toModelResult(result)).not.toHaveProperty("attachments");
    expect(result).toMatchObject({
      value: { attachments: [{}] },
      preview: ["Read 1 file, 1 image attached", "a.png, 3×2 pixels"],
    });
  });
});

describe("readImageSize", () => {
  it("tells the size that the header was made with", async () => {
    const side = fc.integer({ min: 1, max: 16_383 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FORMATS), side, side, async ([format, type], width, height) => {
        const source = memorySource(makeImage(format, [width, height]));
        expect(await readImageSize(source, type)).toEqual({ width, height });
      }),
      { numRuns: runs(200) },
    );
  });

  it("ends on any bytes, and never tells a size of nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FORMATS), fc.uint8Array({ maxLength: 300 }), async ([, type], bytes) => {
        const head = type === "image/jpeg" ? Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), bytes]) : bytes;
        const size = await readImageSize(memorySource(head), type);
        if (size !== undefined) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
      }),
      { numRuns: runs(300) },
    );
  });
});
