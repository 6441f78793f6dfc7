import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SandboxProbe } from "../probe/sandbox-probe.ts";
import type { ConfinePolicy } from "./confine-policy.ts";
import { confine } from "./confine.ts";
import type { EntryKind, HostFacts } from "./host-facts.ts";

const BUBBLEWRAP: SandboxProbe = {
  kind: "bubblewrap",
  program: "/usr/bin/bwrap",
  features: { disableUserns: true, sizedTmpfs: true },
};
const SEATBELT: SandboxProbe = { kind: "seatbelt", program: "/usr/bin/sandbox-exec" };
const POLICY: ConfinePolicy = { argv: ["/bin/true"], readable: [], writable: [], network: "none", env: {} };

function factsOf(
  entries: Readonly<Record<string, EntryKind>>,
  links: Readonly<Record<string, string>> = {},
): HostFacts {
  const known = new Map(Object.entries({ "/usr": "directory", ...entries } as Record<string, EntryKind>));
  return {
    home: "/home/ada",
    kindOf: (path) => (path in links ? "link" : known.get(path)),
    realPathOf: (path) => (known.has(links[path] ?? path) ? (links[path] ?? path) : undefined),
    linkOf: (path) => links[path],
  };
}

/** Pairs of an option and what it is about. */
function mounts(argv: readonly string[]): string[] {
  return argv.flatMap((word, index) =>
    ["--bind", "--ro-bind", "--tmpfs", "--symlink"].includes(word)
      ? [argv.slice(index, index + (word === "--tmpfs" ? 2 : 3)).join(" ")]
      : [],
  );
}

describe("confine", () => {
  it("asks for every namespace, death with the parent and no capability (SEC-BOX-1)", () => {
    const { argv } = confine(POLICY, BUBBLEWRAP, factsOf({}));
    const flags = [
      "--unshare-all",
      "--unshare-user",
      "--disable-userns",
      "--die-with-parent",
      "--new-session",
      "--cap-drop",
    ];
    expect(argv.slice(0, 1)).toEqual(["/usr/bin/bwrap"]);
    expect(argv).toEqual(expect.arrayContaining(flags));
    expect(argv).not.toContain("--share-net");
    expect(argv.slice(argv.indexOf("--"))).toEqual(["--", "/bin/true"]);
  });

  it("shares the network only where the policy says so", () => {
    expect(confine({ ...POLICY, network: "host" }, BUBBLEWRAP, factsOf({})).argv).toContain("--share-net");
  });

  it("throws where this machine cannot confine (SEC-BOX-2)", () => {
    const none: SandboxProbe = { kind: "none", reason: "bubblewrap is not installed.", fix: "Install it." };
    expect(() => confine(POLICY, none)).toThrow(
      expect.objectContaining({ code: "sandbox_unavailable", fix: "Install it." }),
    );
  });

  it.each([
    ["absent lists", { readable: undefined }],
    ["a text for a list", { writable: "/srv/app" }],
    ["relative paths", { readable: ["work"] }],
    ["NUL in a path", { readable: ["/srv/app\0/x"] }],
    ["no network", { network: undefined }],
    ["a network nobody knows", { network: "some" }],
    ["no environment", { env: undefined }],
    ["no program", { argv: [] }],
    ["a program found by PATH", { argv: ["true"] }],
  ])("refuses %s, since absent is not empty (SEC-BOX-3)", (_what, wrong) => {
    const policy = { ...POLICY, ...wrong } as ConfinePolicy;
    expect(() => confine(policy, BUBBLEWRAP, factsOf({}))).toThrow(
      expect.objectContaining({ code: "sandbox_policy_invalid" }),
    );
  });

  it("shows nothing but the system's programs for empty lists (SEC-BOX-3)", () => {
    const { argv } = confine(POLICY, BUBBLEWRAP, factsOf({ "/home/ada": "directory", "/srv/app": "directory" }));
    expect(mounts(argv)).toEqual(["--ro-bind /usr /usr", "--tmpfs /tmp"]);
  });

  it.each([
    "/",
    "/proc",
    "/proc/1",
    "/run/user/0",
    "/var/run/docker.sock",
    "/dev/sda",
    "/home",
    "/tmp",
    "/var",
    "//",
    "/srv/../run",
  ])("refuses to grant %s (SEC-BOX-5)", (place) => {
    for (const list of ["readable", "writable"] as const) {
      expect(() => confine({ ...POLICY, [list]: [place] }, BUBBLEWRAP, factsOf({}))).toThrow(
        expect.objectContaining({ code: "sandbox_policy_invalid" }),
      );
    }
  });

  it("judges grants by where links lead (SEC-BOX-5)", () => {
    const facts = factsOf({ "/run/docker.sock": "other" }, { "/srv/app/socket": "/run/docker.sock" });
    expect(() => confine({ ...POLICY, readable: ["/srv/app/socket"] }, BUBBLEWRAP, facts)).toThrow(
      expect.objectContaining({ code: "sandbox_policy_invalid" }),
    );
  });

  it.each(["/home/ada/.ssh", "/home/ada/.aws/credentials", "/home/ada/.config/gh"])(
    "refuses %s, where secrets are",
    (place) => {
      const facts = factsOf({ [place]: "directory" });
      expect(() => confine({ ...POLICY, readable: [place] }, BUBBLEWRAP, facts)).toThrow(
        expect.objectContaining({ code: "sandbox_policy_invalid" }),
      );
    },
  );

  it("hides secrets that lie in a granted tree, and what the policy names", () => {
    const facts = factsOf({
      "/home/ada": "directory",
      "/home/ada/.ssh": "directory",
      "/home/ada/.netrc": "file",
      "/home/ada/hidden": "file",
    });
    const { argv } = confine({ ...POLICY, readable: ["/home/ada"], hidden: ["/home/ada/hidden"] }, BUBBLEWRAP, facts);
    const made = mounts(argv);
    const granted = made.indexOf("--ro-bind /home/ada /home/ada");
    expect(made.slice(granted + 1)).toEqual([
      "--tmpfs /home/ada/.ssh",
      "--ro-bind /dev/null /home/ada/.netrc",
      "--ro-bind /dev/null /home/ada/hidden",
    ]);
  });

  it("lets what is read-only be seen and not be written, whatever is granted in it or around it", () => {
    const places = ["/srv/app", "/srv/app/.git", "/srv/app/vendor", "/srv/kept", "/srv/kept/in"];
    const facts = factsOf(Object.fromEntries(places.map((place) => [place, "directory"])));
    const readOnly = ["/srv/app/vendor", "/srv/kept", "/srv/none"];
    const { argv } = confine({ ...POLICY, writable: ["/srv/app", "/srv/kept/in"], readOnly }, BUBBLEWRAP, facts);
    const made = mounts(argv);
    expect(made).toContain("--bind /srv/app /srv/app");
    expect(made).toContain("--ro-bind /srv/kept/in /srv/kept/in");
    expect(made).not.toContain("--bind /srv/kept/in /srv/kept/in");
    expect(made.indexOf("--ro-bind /srv/app/vendor /srv/app/vendor")).toBeGreaterThan(
      made.indexOf("--bind /srv/app /srv/app"),
    );
    expect(made.join()).not.toContain("/srv/none");
    const { argv: seatbelt } = confine({ ...POLICY, writable: ["/srv/app"], readOnly }, SEATBELT, facts);
    const parameter = /-D,(P\d+)=\/srv\/app\/vendor,/u.exec(seatbelt.join())?.[1];
    expect(seatbelt.join("\n")).toMatch(new RegExp(`\\(deny file-write\\* \\(subpath \\(param "${parameter}"`, "u"));
  });

  it("protects what git and shells obey, there or not, and leaves the rest of the tree writable (SEC-BOX-6)", () => {
    const facts = factsOf({
      "/srv/app": "directory",
      "/srv/app/.git": "directory",
      "/srv/app/.git/config": "file",
      "/srv/app/.bashrc": "file",
    });
    const { argv, placeholders } = confine({ ...POLICY, writable: ["/srv/app"] }, BUBBLEWRAP, facts);
    const made = mounts(argv);
    expect(made).toEqual(
      expect.arrayContaining([
        "--bind /srv/app /srv/app",
        // Held, so that it cannot be renamed away.
        "--bind /srv/app/.git /srv/app/.git",
        "--ro-bind /srv/app/.git/hooks /srv/app/.git/hooks",
        "--ro-bind /srv/app/.git/config /srv/app/.git/config",
        "--ro-bind /srv/app/.bashrc /srv/app/.bashrc",
        "--ro-bind /srv/app/.vscode /srv/app/.vscode",
      ]),
    );
    const paths = placeholders.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/srv/app/.git/hooks", "/srv/app/.vscode", "/srv/app/.zshrc"]));
    expect(paths).not.toContain("/srv/app/.bashrc");
  });

  it("lets the inner of two grants decide, and writing where one path has both", () => {
    const facts = factsOf({ "/a": "directory", "/a/b": "directory" });
    const { argv } = confine({ ...POLICY, readable: ["/a/b", "/a"], writable: ["/a"] }, BUBBLEWRAP, facts);
    const made = mounts(argv).filter((mount) => / \/a(?:\/b)?$/u.test(mount));
    expect(made).toEqual(["--bind /a /a", "--ro-bind /a/b /a/b"]);
  });

  it("grants nothing where nothing stands", () => {
    const { argv } = confine({ ...POLICY, readable: ["/absent"], writable: ["/gone"] }, BUBBLEWRAP, factsOf({}));
    expect(argv.join(" ")).not.toMatch(/absent|gone/u);
  });

  it("passes arguments on as they are, whatever they look like", () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter((text) => !text.includes("\0"))), (args) => {
        const { argv } = confine({ ...POLICY, argv: ["/bin/echo", ...args] }, BUBBLEWRAP, factsOf({}));
        expect(argv.slice(argv.indexOf("--") + 1)).toEqual(["/bin/echo", ...args]);
      }),
    );
  });

  it("never gives the environment as arguments, which others can read", () => {
    const { argv, env } = confine({ ...POLICY, env: { TOKEN: "hush" } }, BUBBLEWRAP, factsOf({}));
    expect(argv.join("\n")).not.toContain("hush");
    expect(env).toEqual({ TOKEN: "hush" });
  });

  describe("for Seatbelt", () => {
    const facts = factsOf({ "/srv/app": "directory", "/data": "directory", "/srv/app/.git": "directory" });
    const profileOf = (policy: Partial<ConfinePolicy>): { profile: string; parameters: Map<string, string> } => {
      const { argv } = confine({ ...POLICY, ...policy }, SEATBELT, facts);
      const parameters = argv.flatMap((word, index) =>
        word === "-D" ? [(argv[index + 1] ?? "").split("=") as [string, string]] : [],
      );
      return { profile: argv[argv.indexOf("-p") + 1] ?? "", parameters: new Map(parameters) };
    };

    it("denies by default, and has no rule on writing or the network for an empty policy", () => {
      const { profile } = profileOf({});
      expect(profile.split("\n").slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
      expect(profile).not.toMatch(/file-write\*|network/u);
    });

    it("names paths by parameters, so that a name cannot become a rule", () => {
      const evil = '/srv/app")(allow default)("';
      const { profile, parameters } = ((): ReturnType<typeof profileOf> => {
        const { argv } = confine({ ...POLICY, readable: [evil] }, SEATBELT, factsOf({ [evil]: "directory" }));
        return { profile: argv[argv.indexOf("-p") + 1] ?? "", parameters: new Map([["argv", argv.join("\n")]]) };
      })();
      expect(profile).not.toContain("allow default");
      expect(parameters.get("argv")).toContain(evil);
    });

    it("denies writing what git and shells obey after it allowed the tree (SEC-BOX-6)", () => {
      const { profile, parameters } = profileOf({ writable: ["/srv/app"], readable: ["/data"] });
      const lines = profile.split("\n");
      const allowed = lines.findIndex((line) => line.startsWith("(allow file-write* "));
      const denied = lines.findIndex((line) => line.startsWith("(deny file-write* "));
      expect(denied).toBeGreaterThan(allowed);
      const names = [...(lines[denied] ?? "").matchAll(/param "(?<name>P\d+)"/gu)].map((match) =>
        parameters.get(match.groups?.["name"] ?? ""),
      );
      expect(names).toEqual(
        expect.arrayContaining(["/srv/app/.git/hooks", "/srv/app/.git/config", "/srv/app/.bashrc"]),
      );
    });

    it("gives the network without sockets that are files (SEC-BOX-5)", () => {
      expect(profileOf({ network: "host" }).profile).toMatch(
        /\(allow network\*\)[\s\S]*\(deny network-outbound \(remote unix-socket\)\)/u,
      );
    });
  });
});
