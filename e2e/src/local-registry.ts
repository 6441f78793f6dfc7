import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runWell } from "./run.ts";

/** A registry on this machine that serves our scope alone; everything else comes from the usual one. */
export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
  /** Lines of an .npmrc that send our scope here. */
  readonly npmrc: string;
  publish(tarball: string): Promise<void>;
}

/** Milliseconds the registry has to answer after its start. */
const START_MS = 30_000;

/** Starts a registry on a free loopback port; disposing it stops the process and removes its files. */
export async function startRegistry(): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "aiw-registry-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  await writeFile(join(folder, "config.yaml"), config(folder));
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
    const npmrc = `@aiw:registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`;
    await writeFile(join(folder, "publish.npmrc"), npmrc);
    return {
      url,
      npmrc,
      publish: async (tarball) => {
        await runWell("npm", ["publish", tarball, "--registry", url, "--userconfig", join(folder, "publish.npmrc")], {
          cwd: folder,
        });
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function config(folder: string): string {
  return `
storage: ${JSON.stringify(join(folder, "storage"))}
auth:
  htpasswd:
    file: ${JSON.stringify(join(folder, "htpasswd"))}
    max_users: 10
uplinks: {}
packages:
  "@aiw/*":
    access: $all
    publish: $authenticated
    unpublish: $authenticated
log: { type: stdout, level: error }
`;
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
