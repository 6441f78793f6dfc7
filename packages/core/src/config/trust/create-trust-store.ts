import * as path from "node:path";
import { findTrustFile } from "./find-trust-file.ts";
import { isTrustRecord, judgeFolder, readTrustFile, type TrustState } from "./read-trust-file.ts";
import { nodeTrustPorts, type TrustPorts } from "./trust-ports.ts";
import { ANY_CONTENT, type TrustProblem, type TrustRecord, type TrustStore } from "./trust-store.ts";

/**
 * Opens the user's own record of what is trusted: `trust.json` in `$AIW_CONFIG_HOME`, else in `aiw` of `$XDG_CONFIG_HOME`,
 * `~/.config` or `%APPDATA%`. Nothing is read before it is asked, and each question reads the file as it is then.
 */
export function createTrustStore(world: Partial<TrustPorts> = {}): TrustStore {
  const ports: TrustPorts = { ...nodeTrustPorts, ...world };
  const found = findTrustFile(ports.environment, ports.platform);
  const real = (dir: string): string => toReal(dir, ports.fs);
  // Through links, so that the file itself is judged and replaced, wherever a user keeps it.
  const file = (): string => real(found.file);

  const read = (): TrustState => {
    // Who may exchange a link decides what is read, whoever owns what it leads to.
    const problem = judgeFolder(path.dirname(found.file), ports);
    return problem === undefined ? readTrustFile(file(), ports) : { records: [], problem };
  };
  const problemOf = (dir: string): TrustProblem | undefined => {
    if (found.problem !== undefined) return found.problem;
    if (isInside(file(), real(dir))) return insideProblem(found.file, dir);
    return read().problem;
  };

  return Object.freeze({
    file: found.file,
    problem: problemOf,
    isTrusted(dir: string, hash: string): boolean {
      if (found.problem !== undefined) return false;
      const at = real(dir);
      const { records } = read();
      return (
        records.some((record) => record.dir === at && (record.hash === hash || record.hash === ANY_CONTENT)) &&
        !isInside(file(), at)
      );
    },
    async add(given: Omit<TrustRecord, "at">): Promise<TrustRecord> {
      const { changeTrustFile, toTrustError } = await import("./write-trust-file.ts");
      const { subject, hash, parts } = given;
      const record: TrustRecord = {
        subject,
        dir: real(given.dir),
        hash,
        parts: [...parts],
        at: ports.now().toISOString(),
      };
      const problem = problemOf(record.dir);
      if (problem !== undefined) throw toTrustError(problem);
      if (!isTrustRecord(record)) throw toTrustError(NO_RECORD);
      await changeTrustFile(file(), (records) => [...records.filter((old) => !isSame(old, record)), record], ports);
      return record;
    },
    async remove(dir: string, hash?: string): Promise<readonly TrustRecord[]> {
      const { changeTrustFile, toTrustError } = await import("./write-trust-file.ts");
      if (found.problem !== undefined) throw toTrustError(found.problem);
      const at = real(dir);
      const isMeant = (record: TrustRecord): boolean =>
        record.dir === at && (hash === undefined || record.hash === hash);
      const { problem, records } = read();
      if (problem !== undefined) throw toTrustError(problem);
      if (!records.some(isMeant)) return [];
      let removed: readonly TrustRecord[] = [];
      await changeTrustFile(
        file(),
        (current) => {
          removed = current.filter(isMeant);
          return current.filter((record) => !isMeant(record));
        },
        ports,
      );
      return removed;
    },
    list(): readonly TrustRecord[] {
      if (found.problem !== undefined) return [];
      return read().records.toSorted((a, b) => compare(a.dir, b.dir) || compare(a.hash, b.hash));
    },
  });
}

const NO_RECORD: TrustProblem = {
  reason: "A record needs a subject, a folder, the hash of its content and what was shown.",
  fix: "Pass a request of a discovery report, as it is.",
};

function isSame(a: TrustRecord, b: TrustRecord): boolean {
  return a.dir === b.dir && a.hash === b.hash && a.subject === b.subject;
}

function insideProblem(file: string, dir: string): TrustProblem {
  return {
    reason: `${file} lies inside ${dir}, whose own files must not say what is trusted.`,
    fix: "Set AIW_CONFIG_HOME to a folder outside the project.",
  };
}

/** Follows links as far as there is something; what is not there yet keeps its name. */
function toReal(target: string, fs: TrustPorts["fs"]): string {
  const absolute = path.resolve(target);
  try {
    return fs.realpathSync(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(toReal(parent, fs), path.basename(absolute));
  }
}

function isInside(file: string, dir: string): boolean {
  const relative = path.relative(dir, file);
  return relative === "" || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
