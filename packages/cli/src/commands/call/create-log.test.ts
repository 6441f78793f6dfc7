import { AiwError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { fakeIo } from "../../__fixtures__/fake-io.ts";
import { createLog } from "./create-log.ts";

function logged(message: string, fields?: object): string {
  const { io, stderr } = fakeIo("/");
  createLog({ io, endLine: () => undefined }).error(message, fields as Record<string, unknown>);
  return stderr();
}

describe("createLog", () => {
  it("says warnings and errors, after a line that is ended, and nothing less", () => {
    const { io, stderr } = fakeIo("/");
    const log = createLog({ io, endLine: () => void io.stderr.write("|\n") });
    log.debug("One.");
    log.info("Two.");
    log.warn("Three.", { callId: "c" });
    log.error("Four.", { record: "/a", lost: 2 });
    expect(stderr()).toBe("|\nwarning   Three.\n|\nerror     Four. (record: /a; lost: 2)\n");
  });

  it("says an error's reason and way out, without its stack", () => {
    const error = new AiwError("audit_failed", "/a leads out of /b.", { fix: "Name another." });
    expect(logged("No.", { error })).toBe("error     No. (error: /a leads out of /b. Fix: Name another.)\n");
  });

  it("is one line of visible characters without secrets, and bounded", () => {
    const text = logged("a\nb\u001B[31m\u202E", {
      error: new TypeError("x\r\ny\u001B]0;t\u0007"),
      token: "abcdefghijkl",
      more: "z".repeat(100_000),
    });
    expect(text.trimEnd()).toMatch(/^[\x20-\x7E…]+$/);
    expect(text).not.toContain("abcdefghijkl");
    expect(text.length).toBeLessThan(5000);
  });

  it("survives what cannot be read", () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new TypeError("no");
        },
      },
    );
    expect(logged("No.", hostile)).toBe("error     No. (what it is about cannot be read)\n");
  });
});
