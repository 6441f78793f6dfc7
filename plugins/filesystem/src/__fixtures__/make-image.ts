/** The formats that a model may see. */
export type ImageFormat = "png" | "jpeg" | "gif" | "webp" | "webp-lossless" | "webp-extended";

/** The header of an image, which tells its size, and zeros up to `bytes`. */
export function makeImage(format: ImageFormat, [width, height]: readonly [number, number], bytes = 0): Buffer {
  const header = HEADERS[format](width, height);
  return Buffer.concat([header, Buffer.alloc(Math.max(0, bytes - header.length))]);
}

const HEADERS: { readonly [Format in ImageFormat]: (width: number, height: number) => Buffer } = {
  png: (width, height) =>
    Buffer.concat([
      Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
      uint32(width),
      uint32(height),
      Buffer.from("080600000000000000000000004944415400000000", "hex"),
    ]),
  jpeg: (width, height) => {
    const frame = Buffer.from("ffc0001108000000000301220002110103110100", "hex");
    frame.writeUInt16BE(height, 5);
    frame.writeUInt16BE(width, 7);
    // A thumbnail within a segment has a frame of its own.
    const thumbnail = Buffer.from("ffe1000e457869660000ffc00011080010", "hex");
    return Buffer.concat([Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"), thumbnail.subarray(0, 16), frame]);
  },
  gif: (width, height) => {
    const head = Buffer.from("GIF89a\0\0\0\0\0\0\0");
    head.writeUInt16LE(width, 6);
    head.writeUInt16LE(height, 8);
    return head;
  },
  webp: (width, height) => {
    const head = webp("VP8 ");
    head.writeUInt16LE(width, 26);
    head.writeUInt16LE(height, 28);
    return head;
  },
  "webp-lossless": (width, height) => {
    const head = webp("VP8L");
    head[20] = 0x2f;
    head.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
    return head;
  },
  "webp-extended": (width, height) => {
    const head = webp("VP8X");
    head.writeUIntLE(width - 1, 24, 3);
    head.writeUIntLE(height - 1, 27, 3);
    return head;
  },
};

function webp(chunk: string): Buffer {
  const head = Buffer.alloc(40);
  head.write("RIFF", 0);
  head.write("WEBP", 8);
  head.write(chunk, 12);
  return head;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
