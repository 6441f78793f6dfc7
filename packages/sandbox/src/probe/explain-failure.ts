import type { ProbePorts } from "./probe-ports.ts";
import type { SandboxProbe } from "./sandbox-probe.ts";

/** Settings of the kernel that keep users from confining, the value that does, and the way out. */
const SETTINGS = [
  {
    path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    value: "1",
    fix: "Allow it by a profile for bwrap in /etc/apparmor.d, or for everybody: sysctl kernel.apparmor_restrict_unprivileged_userns=0.",
  },
  {
    path: "/proc/sys/kernel/unprivileged_userns_clone",
    value: "0",
    fix: "Allow it: sysctl kernel.unprivileged_userns_clone=1.",
  },
  {
    path: "/proc/sys/user/max_user_namespaces",
    value: "0",
    fix: "Allow some: sysctl user.max_user_namespaces=15000.",
  },
] as const;

/** Says why bubblewrap is there and does not confine. */
export function explainFailure(stderr: string, { readText }: Pick<ProbePorts, "readText">): SandboxProbe {
  const said = stderr.trim().replaceAll(/\s+/gu, " ").slice(0, 300);
  const reason = `bubblewrap is installed and cannot confine here: ${said || "it said nothing"}.`;
  const setting = SETTINGS.find(({ path, value }) => readText(path)?.trim() === value);
  if (setting !== undefined) return { kind: "none", reason, fix: setting.fix };
  if (/mount proc/iu.test(said)) {
    return {
      kind: "none",
      reason,
      fix: "The container hides parts of /proc: run it with --security-opt systempaths=unconfined.",
    };
  }
  return {
    kind: "none",
    reason,
    fix: "Namespaces of users are forbidden here: in a container, allow them in its seccomp profile, or let the container be the sandbox.",
  };
}
