import { describe, expect, it } from "vitest";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { toLoadError } from "./to-load-error.ts";

describe("toLoadError", () => {
  it("gives the finding's code, its reason without a class name, and its fix as the next step", () => {
    const finding = { code: "load_timed_out", package: "acme", reason: "./a.js did not finish.", fix: "Start again." };
    const cause = new AiwError("load_failed", `acme/visit: ${finding.reason}`, {
      fix: finding.fix,
      details: { finding },
    });
    const error = toLoadError(cause);
    expect(error).toMatchObject({
      code: "load_failed",
      message: "The tool's code could not be loaded: acme/visit: ./a.js did not finish.",
      suggestion: "Start again.",
      details: { finding: "load_timed_out", package: "acme" },
      cause,
    });
  });

  it("hides where the host keeps things, also in the fix", () => {
    const error = toLoadError(
      new AiwError("load_failed", "/srv/app/x is gone.", { fix: "Look at /srv/app/x, then go on." }),
    );
    expect([error.message, error.suggestion]).toEqual([
      "The tool's code could not be loaded: …/x is gone.",
      "Look at …/x, then go on.",
    ]);
    expect(error.details).toEqual({ finding: "load_failed" });
  });

  it("names what else was thrown, and leaves a failure that is meant for the model as it is", () => {
    expect(toLoadError(new TypeError("boom")).message).toBe("The tool's code could not be loaded: TypeError: boom");
    const own = new ToolError("not_configured", "x");
    expect(toLoadError(own)).toBe(own);
  });
});
