import { testToolPackage } from "@aiw/testkit";
import filesystemPackage from "./index.ts";

await testToolPackage({
  tools: filesystemPackage,
  options: {},
  packageDir: `${import.meta.dirname}/..`,
  files: { "src/index.ts": "export const answer = 42;\n", "README.md": "# A folder\n" },
});
