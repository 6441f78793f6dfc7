import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runWell } from "./run.ts";

/** How to reach the registry; plain data, so that it can be handed to the processes of the tests. */
export interface RegistryAddress {
  readonly url: string;
  /** Lines of an .npmrc that send our scope here and everything else to the usual registry. */
  readonly scopedNpmrc: string;
  /** Lines of an .npmrc that send everything here; what is not ours is fetched from the usual registry. */
  readonly npmrc: string;
}

/** A registry on this machine. */
export interface LocalRegistry extends AsyncDisposable {
  readonly address: RegistryAddress;
  /** Publishes as a person does. */
  publish(tarball: string): Promise<void>;
  /** Publishes bytes that npm itself would refuse to pack; `manifest` is what the registry tells of them. */
  publishBytes(manifest: PublishedManifest, tarball: Buffer, tag?: string): Promise<void>;
}

/** What a registry knows of one version. */
export interface PublishedManifest extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly version: string;
}

/** Milliseconds the registry has to answer after its start. */
const START_MS = 30_000;

/** Starts a registry on a free loopback port; disposing it stops the process and removes its files. */
export async function startRegistry(): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "aiw-registry-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  await writeFile(join(folder, "config.yaml"), config(folder, await usualRegistry()));
  const server = spawn(
    process.execPath,
    [await verdaccioBinary(), "-c", join(folder, "config.yaml"), "-l", `127.0.0.1:${port}`],
    {
      cwd: folder,
      stdio: "ignore",
    },
  );
  const stop = async (): Promise<void> => {
    await stopProcess(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilUp(url, server);
    const token = await createUser(url);
    const authentication = `//127.0.0.1:${port}/:_authToken=${token}\n`;
    const address = {
      url,
      scopedNpmrc: `@aiw:registry=${url}\n${authentication}`,
      npmrc: `registry=${url}\n${authentication}`,
    };
    await writeFile(join(folder, "publish.npmrc"), address.npmrc);
    return {
      address,
      publish: async (tarball) => {
        await runWell("npm", ["publish", tarball, "--registry", url, "--userconfig", join(folder, "publish.npmrc")], {
          cwd: folder,
        });
      },
      publishBytes: (manifest, tarball, tag = "latest") => putVersion({ url, token, manifest, tarball, tag }),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where this machine gets its packages; asked for, since it is nobody else's business. */
async function usualRegistry(): Promise<string> {
  const { stdout } = await runWell("npm", ["config", "get", "registry"], { cwd: tmpdir() });
  return stdout.trim();
}

function config(folder: string, uplink: string): string {
  const own = "{ access: $all, publish: $authenticated, unpublish: $authenticated }";
  return `
storage: ${JSON.stringify(join(folder, "storage"))}
auth:
  htpasswd:
    file: ${JSON.stringify(join(folder, "htpasswd"))}
    max_users: 10
uplinks:
  usual: { url: ${JSON.stringify(uplink)}, maxage: 60m, timeout: 60s, max_fails: 20, fail_timeout: 1s }
packages:
  "@aiw/*": ${own}
  "@fx/*": ${own}
  "fx-*": ${own}
  "**": { access: $all, proxy: usual }
max_body_size: 50mb
log: { type: stdout, level: error }
`;
}

async function putVersion(version: {
  readonly url: string;
  readonly token: string;
  readonly manifest: PublishedManifest;
  readonly tarball: Buffer;
  readonly tag: string;
}): Promise<void> {
  const { url, token, manifest, tarball, tag } = version;
  const { name } = manifest;
  const file = `${basename(name)}-${manifest.version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    shasum: createHash("sha1").update(tarball).digest("hex"),
    tarball: `${url}${name}/-/${file}`,
  };
  const answer = await fetch(`${url}${name.replace("/", "%2f")}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      _id: name,
      name,
      "dist-tags": { [tag]: manifest.version },
      versions: { [manifest.version]: { ...manifest, _id: `${name}@${manifest.version}`, dist } },
      _attachments: {
        [file]: {
          content_type: "application/octet-stream",
          data: tarball.toString("base64"),
          length: tarball.length,
        },
      },
    }),
  });
  if (!answer.ok) throw new Error(`Publishing ${name} was answered with ${answer.status}: ${await answer.text()}`);
}

async function verdaccioBinary(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve("verdaccio/package.json");
  const { bin } = JSON.parse(await readFile(manifest, "utf8")) as { bin: string | { verdaccio: string } };
  return join(dirname(manifest), typeof bin === "string" ? bin : bin.verdaccio);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

async function waitUntilUp(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`The registry ended with ${server.exitCode}.`);
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok === true) return;
    await delay(100);
  }
  throw new Error("The registry did not start.");
}

async function createUser(url: string): Promise<string> {
  const answer = await fetch(`${url}-/user/org.couchdb.user:tests`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "tests", password: "tests-tests-1" }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`The registry gave no token: ${answer.status}`);
  return token;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
