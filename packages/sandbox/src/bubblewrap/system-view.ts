import type { ConfinePolicy } from "../policy/confine-policy.ts";
import type { HostFacts } from "../policy/host-facts.ts";

/** Programs and libraries; on merged systems some are links into another. */
const PROGRAMS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/** The parts of `/etc` that loading, names and certificates need; none holds a secret. */
const SETTINGS = [
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/ca-certificates",
  "/etc/pki/tls",
  "/etc/pki/ca-trust",
  "/etc/localtime",
  "/etc/passwd",
  "/etc/group",
  "/etc/nsswitch.conf",
  "/etc/services",
  "/etc/protocols",
];

const NETWORK_SETTINGS = ["/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf"];

/** Shows the programs of the system, and of its settings what every program needs. */
export function toSystemView({ network }: Pick<ConfinePolicy, "network">, facts: HostFacts): string[] {
  const settings = network === "host" ? [...SETTINGS, ...NETWORK_SETTINGS] : SETTINGS;
  return [
    ...PROGRAMS.flatMap((place) => showFolder(place, facts)),
    // By their content: they are often links into trees that stay hidden.
    ...settings.flatMap((place) => {
      const real = facts.realPathOf(place);
      return real === undefined ? [] : ["--ro-bind", real, place];
    }),
  ];
}

function showFolder(place: string, facts: HostFacts): string[] {
  const target = facts.kindOf(place) === "link" ? facts.linkOf(place) : undefined;
  if (target !== undefined) return ["--symlink", target, place];
  return facts.kindOf(place) === "directory" ? ["--ro-bind", place, place] : [];
}
