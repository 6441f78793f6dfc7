import { AiwError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.ts";
import { describeFailure } from "./describe-failure.ts";

describe("describeFailure", () => {
  it("gives each kind its code and exit code", () => {
    expect(describeFailure(new UsageError("no"))).toEqual({ code: "wrong_use", message: "no", exitCode: 2 });
    expect(describeFailure(new TypeError("odd"))).toMatchObject({ code: "internal_error", exitCode: 1 });
    expect(describeFailure("odd")).toMatchObject({ message: "odd" });
    expect(describeFailure(new AiwError("config_invalid", "wrong.", { fix: "Correct it." }))).toEqual({
      code: "config_invalid",
      message: "wrong.",
      fix: "Correct it.",
      exitCode: 4,
    });
  });

  it("sends nobody who typed aiw to node where Plug'n'Play is not active", () => {
    const fixOf = (fix: string): string | undefined =>
      describeFailure(new AiwError("pnp_not_active", "no.", { fix })).fix;
    expect(fixOf("Run with: yarn node")).toContain("yarn aiw");
    expect(fixOf('Run with: node --require "/a b/.pnp.cjs"')).toBe(
      `Run with: NODE_OPTIONS='--require "/a b/.pnp.cjs"' aiw …`,
    );
  });
});
