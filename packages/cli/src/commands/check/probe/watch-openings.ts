import { subscribe } from "node:diagnostics_channel";
import { syncBuiltinESMExports } from "node:module";

/** Channels on which Node tells what code opens, and what that is called. */
const CHANNELS: Readonly<Record<string, string>> = {
  "net.client.socket": "a connection",
  "net.server.socket": "a connection",
  "tracing:net.server.listen:asyncStart": "a server",
  "udp.socket": "a datagram socket",
  "http.client.request.start": "an HTTP request",
  "undici:request:create": "an HTTP request",
  child_process: "a program",
  worker_threads: "a thread",
};

/** Watches what this process opens from now on; the result grows. */
export function watchOpenings(): ReadonlySet<string> {
  const opened = new Set<string>();
  for (const [channel, name] of Object.entries(CHANNELS)) subscribe(channel, () => void opened.add(name));
  watchWaits(() => void opened.add("a program"));
  return opened;
}

/** Of programs that are waited for no channel tells. */
function watchWaits(tell: () => void): void {
  // The module itself, whose members others see; an import would be a copy of them.
  const children = process.getBuiltinModule("node:child_process");
  const { spawnSync, execSync, execFileSync } = children;
  const watch = <Run extends (...parts: never[]) => unknown>(run: Run): Run =>
    ((...parts: Parameters<Run>) => {
      tell();
      return run(...parts);
    }) as Run;
  Object.assign(children, {
    spawnSync: watch(spawnSync),
    execSync: watch(execSync),
    execFileSync: watch(execFileSync),
  });
  syncBuiltinESMExports();
}
