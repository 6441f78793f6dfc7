import { fromTarball } from "../fixtures/tarball.ts";
import type { ReleasedManifest } from "./read-packages.ts";

/** What a tarball is compared with. */
export interface Released {
  /** Every version of the release, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Texts that must not leave this machine: folders, tokens. */
  readonly secrets: readonly string[];
}

const REQUIRED = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"];
const UNSHIPPABLE =
  /\.test(?:-d)?\.|__fixtures__|\.tsbuildinfo$|(?:^|\/)(?:\.env|\.npmrc|\.git|node_modules|\.turbo)(?:[./]|$)|\.(?:pem|key)$/;
const RUN_AT_INSTALL = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];

/** Says everything that is wrong with a tarball; nothing when it may be published. */
export function judgeTarball(tarball: Buffer, { versions, secrets }: Released): string[] {
  const files = fromTarball(tarball);
  const manifest = JSON.parse(files["package.json"] ?? "{}") as ReleasedManifest;
  const { name, version, scripts = {} } = manifest;
  const complaints = [
    ...REQUIRED.filter((file) => files[file] === undefined).map((file) => `lacks ${file}`),
    ...Object.keys(files)
      .filter((file) => UNSHIPPABLE.test(file))
      .map((file) => `ships ${file}`),
    ...RUN_AT_INSTALL.filter((script) => script in scripts).map((script) => `runs ${script} at install`),
    ...[...(files["package.json"] ?? "").matchAll(/"(?:workspace|catalog|link|file):[^"]*"/g)].map(String),
    ...judgeRanges(manifest, versions),
    ...Object.entries(files).flatMap(([file, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${file} tells ${secret}`),
    ),
  ];
  if (version !== versions[name]) complaints.push(`has version ${version}`);
  if (files["CHANGELOG.md"]?.includes(`\n## ${version}\n`) !== true) complaints.push(`has no changes of ${version}`);
  return complaints.map((complaint) => `${name}: ${complaint}`);
}

/** Packages of one release admit each other, and no older minor. */
function judgeRanges(manifest: ReleasedManifest, versions: Readonly<Record<string, string>>): string[] {
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies })
    .filter(([name, range]) => name in versions && range !== `^${versions[name] ?? ""}`)
    .map(([name, range]) => `depends on ${name} ${range}`);
}
