import path from "node:path";
import { SandboxError } from "../errors/sandbox-error.ts";
import { isWithin } from "./confine-policy.ts";
import type { HostFacts } from "./host-facts.ts";

/** Where people keep keys and sessions, below their home folder. */
const BELOW_HOME: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/gh",
  ".config/hub",
  ".config/glab-cli",
  ".config/gcloud",
  ".config/op",
  ".config/git/credentials",
  ".config/containers/auth.json",
  ".config/google-chrome",
  ".config/chromium",
  ".mozilla",
  ".password-store",
  ".local/share/keyrings",
  ".terraform.d",
  ".vault-token",
  ".git-credentials",
  ".netrc",
  ".pgpass",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".bash_history",
  ".zsh_history",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  "Library/Keychains",
];

/** The second line behind granting little: secrets that lie inside of a granted tree (SEC-BOX-5). */
export function findSecrets(granted: readonly string[], facts: HostFacts): string[] {
  const places = secretPlaces(facts);
  return places.filter((place) => facts.kindOf(place) !== undefined && granted.some((tree) => isWithin(place, tree)));
}

/** @throws SandboxError `sandbox_policy_invalid` for a grant that lies in a place of secrets. */
export function assertNoSecret(granted: readonly string[], facts: HostFacts): void {
  const places = secretPlaces(facts);
  const wrong = granted.find((tree) => places.some((place) => isWithin(tree, place)));
  if (wrong === undefined) return;
  const message = `${wrong} is where secrets are kept; no confined process may see it.`;
  throw new SandboxError("sandbox_policy_invalid", message, "Copy what the process needs to another folder.");
}

function secretPlaces(facts: HostFacts): string[] {
  const home = facts.realPathOf(facts.home) ?? facts.home;
  const places = BELOW_HOME.map((name) => path.posix.join(home, name));
  // Dotfiles are often links into a folder of their own.
  return [...new Set(places.flatMap((place) => [place, facts.realPathOf(place) ?? place]))];
}
