import { existsSync, readFileSync } from "node:fs";
import { toIsolationFlags } from "../bubblewrap/to-bubblewrap.ts";
import { explainFailure } from "./explain-failure.ts";
import type { ProbePorts } from "./probe-ports.ts";
import { runProgram } from "./run-program.ts";
import type { SandboxProbe } from "./sandbox-probe.ts";

/** By place, never by `PATH`: a namesake elsewhere would confine nothing. */
const BUBBLEWRAP = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
const SEATBELT = "/usr/bin/sandbox-exec";

const HOST_PORTS: ProbePorts = Object.freeze<ProbePorts>({
  platform: process.platform,
  exists: existsSync,
  readText: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
  run: runProgram,
});

let known: Promise<SandboxProbe> | undefined;

/** Says how this machine confines a process, or why not; tried once per process, with the flags that are used later. */
export function probeSandbox(ports?: ProbePorts): Promise<SandboxProbe> {
  if (ports !== undefined) return probe(ports);
  known ??= probe(HOST_PORTS);
  return known;
}

async function probe(ports: ProbePorts): Promise<SandboxProbe> {
  if (ports.platform === "linux") return probeBubblewrap(ports);
  if (ports.platform === "darwin") return probeSeatbelt(ports);
  return {
    kind: "none",
    reason: `No confinement is known for ${ports.platform}.`,
    fix: "Run the host on Linux (WSL 2 counts) or macOS, or in a container of its own.",
  };
}

async function probeBubblewrap(ports: ProbePorts): Promise<SandboxProbe> {
  const program = BUBBLEWRAP.find((place) => ports.exists(place));
  if (program === undefined) {
    return {
      kind: "none",
      reason: "bubblewrap is not installed.",
      fix: "Install it: apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap or pacman -S bubblewrap.",
    };
  }
  const { stdout, stderr } = await ports.run([program, "--help"]);
  const help = stdout + stderr;
  const features = { disableUserns: help.includes("--disable-userns"), sizedTmpfs: help.includes("--size") };
  const view = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"];
  const tried = await ports.run([program, ...toIsolationFlags(features), ...view, "--", program, "--version"]);
  return tried.ok ? { kind: "bubblewrap", program, features } : explainFailure(tried.stderr, ports);
}

async function probeSeatbelt(ports: ProbePorts): Promise<SandboxProbe> {
  const tried = await ports.run([SEATBELT, "-p", "(version 1)(allow default)", "/usr/bin/true"]);
  if (tried.ok) return { kind: "seatbelt", program: SEATBELT };
  return {
    kind: "none",
    reason: `sandbox-exec does not work: ${tried.stderr.trim().slice(0, 200)}`,
    fix: "A process that is confined already cannot confine another: start the host outside of a sandbox.",
  };
}
