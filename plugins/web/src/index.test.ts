import { testToolPackage } from "@aiw/testkit";
import webPackage from "./index.ts";

await testToolPackage({ tools: webPackage, options: {}, packageDir: `${import.meta.dirname}/..` });
