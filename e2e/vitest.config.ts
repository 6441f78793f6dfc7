import { defineConfig } from "vitest/config";

const RELEASE = "src/release.test.ts";

/** The rehearsal of a release packs and publishes for itself; all others share one packing of the working tree. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: "installed",
          root: import.meta.dirname,
          include: ["src/**/*.test.ts"],
          exclude: [RELEASE],
          globalSetup: ["src/set-up.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: "release",
          root: import.meta.dirname,
          include: [RELEASE],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
