import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import type { AiwConfig } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { checkExtensions } from "./check-extensions.ts";

const PEERS = { pino: "^10.0.0", "@opentelemetry/api": "^1.10.0" };

/** A command that is installed somewhere, and a project somewhere else. */
function makeWorld(files: Readonly<Record<string, object>> = {}): Promise<TemporaryWorkspace> {
  const manifests = Object.entries(files).map(([at, manifest]) => [`${at}/package.json`, JSON.stringify(manifest)]);
  return temporaryWorkspace({
    "host/node_modules/@aiw/cli/package.json": JSON.stringify({
      name: "@aiw/cli",
      version: "1.0.0",
      peerDependencies: PEERS,
    }),
    "host/node_modules/@aiw/cli/bin/aiw.js": "",
    "project/package.json": "{}",
    ...(Object.fromEntries(manifests) as Record<string, string>),
  });
}

async function check(
  world: TemporaryWorkspace,
  extensions: AiwConfig["extensions"],
  program: string = world.path("host/node_modules/@aiw/cli/bin/aiw.js"),
): Promise<string[]> {
  const checks = await checkExtensions({
    projectDir: world.path("project"),
    config: { ...(extensions && { extensions }) },
    report: { waiting: [], found: [] },
    environment: {},
    add: "pnpm add",
    program,
    version: "1.0.0",
  });
  return checks.map(({ level, message, fix }) => `${level} ${message}${fix === undefined ? "" : ` → ${fix}`}`);
}

const READY = /^ok .*: this command brings @aiw\/extensions 1\.0\.0$/;
const LOGGING = { logging: { level: "info" } } as const;

describe("checkExtensions", () => {
  it("says nothing where nothing is configured", async () => {
    await using world = await makeWorld();
    expect(await check(world, undefined)).toEqual([]);
  });

  it("names packages that are missing beside the command, wherever it is", async () => {
    await using world = await makeWorld({ "project/node_modules/pino": { name: "pino", version: "10.0.0" } });
    expect(await check(world, { ...LOGGING, telemetry: { prometheus: {} } })).toEqual([
      expect.stringMatching(READY),
      expect.stringMatching(
        /^error extensions\.logging needs pino beside this command .* → Install them there, .* npm install --global pino\. /,
      ),
      expect.stringMatching(/^error extensions\.telemetry needs @opentelemetry\/api, .*exporter-prometheus beside/),
    ]);
    expect((await check(world, { telemetry: { serviceName: "x" } }))[1]).toMatch(/--global @opentelemetry\/api\./);
    const own = { name: "@aiw/cli", version: "1.0.0" };
    await using local = await makeWorld({ "project/node_modules/@aiw/cli": own });
    const program = local.path("project/node_modules/@aiw/cli/package.json");
    expect((await check(local, LOGGING, program))[1]).toMatch(/→ pnpm add pino$/);
  });

  it("is content with what is there, also where it keeps its package.json to itself, and runs nothing of it", async () => {
    await using world = await makeWorld({
      "host/node_modules/pino": { name: "pino", version: "10.1.0", exports: "./main.js" },
    });
    await world.write("host/node_modules/pino/main.js", "globalThis.pinoRan = true;");
    expect(await check(world, LOGGING)).toEqual([expect.stringMatching(READY)]);
    expect(globalThis).not.toHaveProperty("pinoRan");
  });

  it("names packages of a version that does not fit", async () => {
    await using world = await makeWorld({ "host/node_modules/pino": { name: "pino", version: "9.0.0" } });
    expect((await check(world, LOGGING))[1]).toBe(
      'warning extensions.logging needs pino ^10.0.0, and 9.0.0 is installed → pnpm add "pino@^10.0.0"',
    );
  });

  it("says what programs of the project would lack", async () => {
    const executor = { name: "@aiw/executor", version: "1.0.0" };
    const extensions = { name: "@aiw/extensions", version: "2.0.0", dependencies: { "@aiw/executor": "^2.0.0" } };
    const at = "project/node_modules/@aiw";
    await using unfit = await makeWorld({ [`${at}/executor`]: executor, [`${at}/extensions`]: extensions });
    const [ready, warning] = await check(unfit, { rateLimit: { perMinute: 5 } });
    expect(ready).toMatch(READY);
    expect(warning).toMatch(
      /^warning the project's @aiw\/extensions 2\.0\.0 is made for @aiw\/executor \^2\.0\.0, and 1\.0\.0/,
    );
    await using fit = await makeWorld({
      [`${at}/executor`]: { ...executor, version: "2.1.0" },
      [`${at}/extensions`]: extensions,
    });
    expect(await check(fit, { rateLimit: { perMinute: 5 } })).toHaveLength(1);
  });
});
