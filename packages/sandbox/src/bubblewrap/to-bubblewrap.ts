import type { Confined } from "../policy/confined.ts";
import { assertGrantable, isWithin, type ConfinePolicy } from "../policy/confine-policy.ts";
import type { HostFacts } from "../policy/host-facts.ts";
import { findProtected, hasRepository } from "../policy/protected-entries.ts";
import { assertNoSecret, findSecrets } from "../policy/secret-places.ts";
import type { SandboxProbe } from "../probe/sandbox-probe.ts";
import { toSystemView } from "./system-view.ts";

/** Bytes of the private temporary folder, where its size can be bounded. */
const TMP_BYTES = 256 * 1024 * 1024;

/** Programs that bound memory before the confining one starts; found by place, not by `PATH`. */
const LIMITERS = ["/usr/bin/prlimit", "/bin/prlimit"];

interface Granted {
  /** As asked for. */
  readonly path: string;
  readonly real: string;
  readonly writable: boolean;
}

/** The flags of every confinement: the probe tries the same ones (SEC-BOX-1, SEC-BOX-2). */
export function toIsolationFlags(features: { readonly disableUserns: boolean }): string[] {
  return [
    "--unshare-all",
    "--unshare-user",
    ...(features.disableUserns ? ["--disable-userns"] : []),
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
  ];
}

/**
 * Builds the view of a process from nothing but what it is granted, on Linux.
 * @throws SandboxError `sandbox_policy_invalid`
 */
export function toBubblewrap(
  policy: ConfinePolicy,
  { program, features }: Extract<SandboxProbe, { kind: "bubblewrap" }>,
  facts: HostFacts,
): Confined {
  const kept = (policy.readOnly ?? []).flatMap((place) => facts.realPathOf(place) ?? []);
  const granted = resolveGrants(policy, facts).map((one) =>
    kept.some((place) => isWithin(one.real, place)) ? { ...one, writable: false } : one,
  );
  const writable = granted.filter((one) => one.writable).map(({ real }) => real);
  const protectedEntries = writable.flatMap((root) =>
    facts.kindOf(root) === "directory" ? findProtected(root, facts) : [],
  );
  const limiter =
    policy.memoryBytes === undefined ? undefined : LIMITERS.find((place) => facts.kindOf(place) === "file");
  const tmp = features.sizedTmpfs ? ["--size", String(TMP_BYTES), "--tmpfs", "/tmp"] : ["--tmpfs", "/tmp"];
  const argv = [
    ...(limiter === undefined ? [] : [limiter, `--data=${policy.memoryBytes}`, "--core=0", "--"]),
    program,
    ...toIsolationFlags(features),
    ...(policy.network === "host" ? ["--share-net"] : []),
    ...toSystemView(policy, facts),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...tmp,
    ...granted.flatMap(toBind),
    ...granted.flatMap((one) => toAlias(one, granted)),
    ...writable.flatMap((root) => holdRepository(root, facts)),
    ...kept
      .filter((place) => writable.some((root) => isWithin(place, root)))
      .flatMap((place) => ["--ro-bind", place, place]),
    ...protectedEntries.flatMap(({ path }) => ["--ro-bind", path, path]),
    ...[
      ...findSecrets(
        granted.map(({ real }) => real),
        facts,
      ),
      ...resolveHidden(policy, facts),
    ].flatMap((place) => hide(place, facts)),
    "--remount-ro",
    "/",
    "--chdir",
    policy.cwd ?? "/",
    "--",
    ...policy.argv,
  ];
  return {
    argv,
    env: policy.env,
    cwd: "/",
    sandboxed: true,
    memoryBounded: limiter !== undefined,
    placeholders: protectedEntries.filter(({ exists }) => !exists),
  };
}

/** What stands nowhere grants nothing. Outer trees come before inner ones, and at one place writing wins. */
function resolveGrants({ readable, writable }: ConfinePolicy, facts: HostFacts): Granted[] {
  const all = [
    ...readable.map((path) => ({ path, writable: false })),
    ...writable.map((path) => ({ path, writable: true })),
  ].flatMap((one) => {
    const real = facts.realPathOf(one.path);
    return real === undefined ? [] : [{ ...one, real }];
  });
  for (const { real } of all) assertGrantable(real);
  assertNoSecret(
    all.map(({ real }) => real),
    facts,
  );
  const isOverruled = (one: Granted): boolean =>
    !one.writable && all.some((other) => other.writable && other.real === one.real);
  return all.filter((one) => !isOverruled(one)).toSorted((a, b) => (a.real < b.real ? -1 : Number(a.real > b.real)));
}

function toBind({ real, writable }: Granted): string[] {
  return [writable ? "--bind" : "--ro-bind", real, real];
}

/** A path through links leads where it did, unless a tree that is shown has the link already. */
function toAlias({ path, real }: Granted, granted: readonly Granted[]): string[] {
  const isShown =
    granted.some((other) => isWithin(path, other.real)) || /^\/(?:usr|bin|sbin|lib\w*)(?:\/|$)/u.test(path);
  return path === real || isShown ? [] : ["--symlink", real, path];
}

/** A folder that something is mounted on cannot be renamed, and so not exchanged for one with other hooks. */
function holdRepository(root: string, facts: HostFacts): string[] {
  return hasRepository(root, facts) ? ["--bind", `${root}/.git`, `${root}/.git`] : [];
}

function resolveHidden({ hidden = [] }: ConfinePolicy, facts: HostFacts): string[] {
  return hidden.flatMap((place) => facts.realPathOf(place) ?? []);
}

function hide(place: string, facts: HostFacts): string[] {
  const kind = facts.kindOf(place);
  if (kind === "directory") return ["--tmpfs", place, "--remount-ro", place];
  return kind === "file" || kind === "other" ? ["--ro-bind", "/dev/null", place] : [];
}
