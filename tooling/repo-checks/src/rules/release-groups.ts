import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findPublished } from "../repo/workspaces.ts";

const CONFIG = ".changeset/config.json";

/** Finds packages that would be released apart from their group, or with it, and changesets that end the time before 1.0 by accident. */
export function checkReleaseGroups(repo: Repo): Finding[] {
  const published = findPublished(repo);
  const spine = published.filter(({ folder }) => folder.startsWith("packages/")).map(({ manifest }) => manifest.name);
  const { fixed = [], linked = [] } = JSON.parse(repo.read(CONFIG) ?? "{}") as {
    readonly fixed?: readonly (readonly string[])[];
    readonly linked?: readonly unknown[];
  };
  const findings: Finding[] = [];
  const rule = "what is under packages/ is one fixed group; plugins are released one by one";
  if (fixed.length !== 1 || linked.length > 0)
    findings.push({ file: CONFIG, rule, repair: "Keep one group in `fixed` and none in `linked`." });
  const group = fixed.flat();
  const missing = spine.filter((name) => !group.includes(name));
  const extra = group.filter((name) => !spine.includes(name));
  if (missing.length > 0) findings.push({ file: CONFIG, rule, repair: `Add ${missing.join(", ")} to the group.` });
  if (extra.length > 0) findings.push({ file: CONFIG, rule, repair: `Take ${extra.join(", ")} out of the group.` });
  const isBeforeOne = published.some(({ manifest }) => manifest.version?.startsWith("0."));
  return isBeforeOne ? [...findings, ...findMajors(repo)] : findings;
}

/** From 0.4.0 a `major` leads to 1.0.0, for the whole group. */
function findMajors(repo: Repo): Finding[] {
  return repo.files
    .filter((file) => /^\.changeset\/(?!README\.md$)[^/]+\.md$/u.test(file))
    .filter((file) => /^"[^"]+": major$/mu.test(repo.read(file) ?? ""))
    .map((file) => ({
      file,
      rule: "while versions begin with 0, what breaks is a minor",
      repair: "Write minor; 1.0.0 is decided for all packages at once, together with this rule.",
    }));
}
