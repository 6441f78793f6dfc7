import { describe, expect, it } from "vitest";
import { makeProject } from "../../__fixtures__/make-project.ts";
import { runAiw } from "../../__fixtures__/run-aiw.ts";

const LONG = "x".repeat(3000);

const CONFIG = {
  policy: { approval: "never" },
  extensions: {
    audit: { file: ".aiw/audit.jsonl", key: { $env: "AUDIT_KEY" } },
    telemetry: { otlp: { endpoint: "https://c.example.com", headers: { "x-key": { $env: "KEY" }, long: LONG } } },
    rateLimit: { perMinute: 5 },
  },
  isolation: { default: "isolated", grants: { "@acme/*": { network: "host", confinement: "off" } } },
  executors: {
    secrets: { "acme-tools": ["TOKEN"] },
    shell: { env: ["HOME"] },
    http: { allowPrivate: ["127.0.0.1:80"] },
  },
};

describe("describeRequest", () => {
  it("shows every part of what would widen, whole, under what it does, and references as references", async () => {
    await using project = await makeProject();
    await project.write("aiw.config.json", JSON.stringify(CONFIG));
    const environment = { AUDIT_KEY: "the-value-of-the-key", KEY: "another-value" };
    const { out } = await runAiw(project.cwd, ["trust"], { environment, columns: 60, terminal: true });
    const text = out.replaceAll(/\s+/g, " ");
    for (const said of [
      'with never, unsafe calls run at once: /policy/approval: "never"',
      '/extensions/audit/file: ".aiw/audit.jsonl" /extensions/audit/key: {"$env":"AUDIT_KEY"}',
      '"x-key":{"$env":"KEY"}',
      'how far they are confined: /isolation/grants/@acme~1*/network: "host" /isolation/grants/@acme~1*/confinement: "off"',
      'may use and send: /executors/secrets/acme-tools: ["TOKEN"]',
      'variables of the environment that commands get: /executors/shell/env/0: "HOME"',
      'by themselves: /executors/http/allowPrivate/0: "127.0.0.1:80"',
    ])
      expect(text).toContain(said);
    expect(text).toContain(LONG);
    expect(text).not.toContain("-value");
    expect(text).not.toContain("other settings");
    // What only takes away is no question.
    expect(text).not.toContain("rateLimit");
  });

  it("shows of secret options that they are set, anywhere it is said or kept", async () => {
    await using project = await makeProject();
    const plugins = { "acme-svc": { handle: "s3cret", region: "eu" }, "fx-unknown": { token: "s3cret" } };
    const optionsSchema = {
      type: "object",
      properties: { handle: { type: "string", writeOnly: true }, region: { type: "string" } },
    };
    await project.write("aiw.config.json", JSON.stringify({ plugins }));
    await project.write("package.json", JSON.stringify({ name: "shop", dependencies: { "acme-svc": "1.0.0" } }));
    await project.write(
      "node_modules/acme-svc/package.json",
      JSON.stringify({ name: "acme-svc", version: "1.0.0", aiwhisperer: { tools: "./aiw-tools.json" } }),
    );
    await project.write(
      "node_modules/acme-svc/aiw-tools.json",
      JSON.stringify({
        manifestVersion: 1,
        package: { name: "acme-svc", version: "1.0.0" },
        optionsSchema,
        tools: [
          {
            spec: {
              name: "ask",
              type: "http",
              description: "Asks.",
              inputSchema: { type: "object", properties: {} },
              implementation: { url: "https://example.com" },
              metadata: {
                tags: [],
                permissions: [],
                effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
              },
            },
          },
        ],
      }),
    );
    const { out } = await runAiw(project.cwd, ["trust"]);
    expect(out).toContain('/plugins/acme-svc: {"handle":"<string, 6 characters>","region":"eu"}');
    expect(out).toContain('/plugins/fx-unknown: {"token":"<string, 6 characters>"}');
    for (const args of [
      ["trust", "--json"],
      ["trust", "--yes"],
      ["trust", "--list"],
      ["trust", "--list", "--json"],
    ]) {
      const said = await runAiw(project.cwd, args);
      expect(said.out + said.err).not.toContain("s3cret");
    }
    expect((await runAiw(project.cwd, ["trust", "--list"])).out).toContain("<string, 6 characters>");
  });
});
