import type { Confined } from "../policy/confined.ts";
import { assertGrantable, type ConfinePolicy } from "../policy/confine-policy.ts";
import type { HostFacts } from "../policy/host-facts.ts";
import { findProtected } from "../policy/protected-entries.ts";
import { assertNoSecret, findSecrets } from "../policy/secret-places.ts";

/** Programs, libraries and settings that every process on macOS reads. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library/Apple",
  "/private/etc/ssl",
  "/private/var/db/timezone",
  "/opt/homebrew",
];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper"];

const BASE = [
  "(version 1)",
  "(deny default)",
  "(allow process-fork)",
  "(allow process-exec)",
  "(allow signal (target same-sandbox))",
  "(allow process-info* (target same-sandbox))",
  "(allow sysctl-read)",
  "(allow file-read-metadata)",
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
];

const NETWORK = [
  "(allow network*)",
  "(allow system-socket)",
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.trustd.agent"))',
  // Sockets of agents and containers are files, not network (SEC-BOX-5).
  "(deny network-outbound (remote unix-socket))",
];

/** Gives every path to the profile as a parameter: a name cannot become a rule. */
class Parameters {
  readonly #flags: string[] = [];

  get flags(): readonly string[] {
    return this.#flags;
  }

  add(place: string): string {
    const name = `P${this.#flags.length / 2}`;
    this.#flags.push("-D", `${name}=${place}`);
    return `(param "${name}")`;
  }
}

/**
 * Writes the profile of a process on macOS. Seatbelt has no namespace of processes: what leaves its process group outlives it.
 * @throws SandboxError `sandbox_policy_invalid`
 */
export function toSeatbelt(policy: ConfinePolicy, program: string, facts: HostFacts): Confined {
  const parameters = new Parameters();
  const readable = resolveAll(policy.readable, facts);
  const writable = resolveAll(policy.writable, facts);
  const below = (places: readonly string[]): string =>
    places.map((place) => `(subpath ${parameters.add(place)})`).join(" ");
  const hidden = [...findSecrets([...readable, ...writable], facts), ...(policy.hidden ?? [])];
  const kept = writable.flatMap((root) => findProtected(root, facts)).map(({ path }) => path);
  const readOnly = (policy.readOnly ?? []).map((place) => facts.realPathOf(place) ?? place);
  const repositories = writable.map((root) => `(literal ${parameters.add(`${root}/.git`)})`);
  const profile = [
    ...BASE,
    `(allow file-read* (literal "/") ${below([...SYSTEM, ...readable, ...writable])})`,
    `(allow file-read* file-write-data ${DEVICES.map((place) => `(literal "${place}")`).join(" ")})`,
    ...(writable.length === 0 ? [] : [`(allow file-write* ${below(writable)})`]),
    // Rules on paths hold before anything stands there (SEC-BOX-6); the repository itself must not be exchanged.
    ...(kept.length === 0
      ? []
      : [`(deny file-write* ${below(kept)})`, `(deny file-write-unlink ${repositories.join(" ")})`]),
    ...(readOnly.length === 0 ? [] : [`(deny file-write* ${below(readOnly)})`]),
    ...(hidden.length === 0 ? [] : [`(deny file-read* file-write* ${below(hidden)})`]),
    ...(policy.network === "host" ? NETWORK : []),
  ].join("\n");
  return {
    argv: [program, ...parameters.flags, "-p", profile, ...policy.argv],
    env: policy.env,
    cwd: policy.cwd ?? "/",
    sandboxed: true,
    memoryBounded: false,
    placeholders: [],
  };
}

function resolveAll(places: readonly string[], facts: HostFacts): string[] {
  const real = places.flatMap((place) => facts.realPathOf(place) ?? []);
  for (const place of real) assertGrantable(place);
  assertNoSecret(real, facts);
  return real;
}
