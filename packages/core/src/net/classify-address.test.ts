import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress, isSameAddress } from "./classify-address.ts";

describe("classifyAddress", () => {
  it.each([
    ["127.0.0.0", "loopback"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.255", "loopback"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["172.16.0.0", "private"],
    ["172.31.255.255", "private"],
    ["192.168.0.0", "private"],
    ["192.168.255.255", "private"],
    ["100.64.0.0", "private"],
    ["100.127.255.255", "private"],
    ["169.254.0.0", "link-local"],
    ["169.254.255.255", "link-local"],
    ["0.0.0.0", "reserved"],
    ["0.255.255.255", "reserved"],
    ["192.0.0.0", "reserved"],
    ["192.0.0.255", "reserved"],
    ["192.0.2.0", "reserved"],
    ["192.0.2.255", "reserved"],
    ["198.18.0.0", "reserved"],
    ["198.19.255.255", "reserved"],
    ["198.51.100.0", "reserved"],
    ["198.51.100.255", "reserved"],
    ["203.0.113.0", "reserved"],
    ["203.0.113.255", "reserved"],
    ["192.88.99.0", "translated"],
    ["192.88.99.255", "translated"],
    ["224.0.0.0", "reserved"],
    ["239.255.255.255", "reserved"],
    ["240.0.0.0", "reserved"],
    ["255.255.255.255", "reserved"],
    ["169.254.169.254", "metadata"],
    ["168.63.129.16", "metadata"],
    ["100.100.100.200", "metadata"],
    ["192.0.0.192", "metadata"],
    ["169.254.170.2", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["::ffff:0:169.254.169.254", "metadata"],
    ["::169.254.169.254", "metadata"],
    ["64:ff9b::169.254.169.254", "metadata"],
    ["64:ff9b:1:a9fe:a9:fe00::", "metadata"],
    ["64:ff9b:1::100.100.100.200", "metadata"],
    ["2002:a9fe:a9fe::1", "metadata"],
    ["2001:0:1:2:3:4:5601:5601", "metadata"],
    ["::", "translated"],
    ["::1", "loopback"],
    ["::7f00:1", "translated"],
    ["::ffff:ffff", "translated"],
    ["::ffff:127.0.0.1", "translated"],
    ["::ffff:8.8.8.8", "translated"],
    ["::ffff:0:127.0.0.1", "translated"],
    ["64:ff9b::7f00:1", "translated"],
    ["64:ff9b::", "translated"],
    ["64:ff9b::ffff:ffff", "translated"],
    ["64:ff9b:1::", "translated"],
    ["64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "translated"],
    ["2002:7f00:1::", "translated"],
    ["2002::", "translated"],
    ["2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "translated"],
    ["2001::", "translated"],
    ["2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "translated"],
    ["2001:1::", "reserved"],
    ["2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
    ["2001:db8::", "reserved"],
    ["2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
    ["3fff::", "reserved"],
    ["3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
    ["fc00::", "private"],
    ["fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "private"],
    ["fd00:ec2::254", "metadata"],
    ["fe80::", "link-local"],
    ["febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link-local"],
    ["fec0::", "private"],
    ["feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "private"],
    ["ff00::", "reserved"],
    ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"],
    ["100::", "reserved"],
    ["5f00::1", "reserved"],
    ["4000::", "reserved"],
    ["1fff:ffff::", "reserved"],
  ])("says that %s is %s", (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "168.63.129.15",
    "168.63.129.17",
    "2606:4700:4700::1111",
    "2000::",
    "2001:200::1",
    "2003::1",
    "2001:4860:4860::8888",
    "2400:cb00::1",
  ])("lets %s pass", (address) => {
    expect(classifyAddress(address)).toBe("public");
  });

  it.each([
    "",
    "localhost",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "[::1]",
    "fe80::1%eth0",
    "::1%lo",
    "1.2.3.4.5",
    "256.1.1.1",
    " 8.8.8.8",
    "8.8.8.8\n",
  ])("does not guess at %j", (address) => expect(classifyAddress(address)).toBe("unreadable"));

  it("never lets an IPv4 address pass inside an IPv6 form", () => {
    const forms = (ip: string, hex: string): readonly string[] => [
      `::ffff:${ip}`,
      `::${ip}`,
      `64:ff9b::${ip}`,
      `2002:${hex}::1`,
      `2001:0:${hex}::1`,
    ];
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split(".").map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const form of forms(ip, hex)) expect(classifyAddress(form), form).not.toBe("public");
      }),
    );
  });

  it("lets an IPv6 address pass only within 2000::/3", () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        fc.pre(isIP(ip) === 6 && classifyAddress(ip) === "public");
        expect(ip).toMatch(/^[23][0-9a-f]{3}:/i);
      }),
    );
  });
});

describe("isSameAddress", () => {
  it("compares bytes, not spellings", () => {
    expect(isSameAddress("::1", "0:0:0:0:0:0:0:1")).toBe(true);
    expect(isSameAddress("127.0.0.1", "::ffff:127.0.0.1")).toBe(false);
    expect(isSameAddress("nonsense", "nonsense")).toBe(false);
  });
});
