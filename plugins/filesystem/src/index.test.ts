import { contractChecks } from "@aiw/testkit";
import { describe, it } from "vitest";
import filesystemPackage from "./index.ts";

describe("the package", () => {
  for (const check of contractChecks({
    tools: filesystemPackage,
    options: {},
    packageDir: `${import.meta.dirname}/..`,
  }))
    it(check.name, check.run);
});
