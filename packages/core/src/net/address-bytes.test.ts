import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toAddressBytes } from "./address-bytes.ts";

describe("toAddressBytes", () => {
  it.each([
    ["127.0.0.1", [127, 0, 0, 1]],
    ["::", Array.from({ length: 16 }, () => 0)],
    ["::1", [...Array.from({ length: 15 }, () => 0), 1]],
    ["1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ["::ffff:1.2.3.4", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4]],
    ["FE80::A", [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]],
  ])("reads %s", (text, bytes) => expect(toAddressBytes(text)).toEqual(bytes));

  it.each([
    "",
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "0x7f.1",
    "2130706433",
    "::1%eth0",
    "1::2::3",
    "[::1]",
    "a.b",
    "1:2",
    " ::1",
  ])("reads no address in %j", (text) => expect(toAddressBytes(text)).toBeUndefined());

  it("reads what Node takes for an address, and nothing else", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(..."0123456789abcf:.%") }), fc.string()),
        (text) => {
          const length = toAddressBytes(text)?.length;
          expect(length).toBe(text.includes("%") ? undefined : { 0: undefined, 4: 4, 6: 16 }[isIP(text)]);
        },
      ),
    );
  });
});
