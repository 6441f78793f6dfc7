import { AiwError } from "../../errors/aiw-error.ts";
import { toShownText } from "../../register/create-finding.ts";
import type { AiwLock } from "./lock-file.ts";
import { parseLock, type ParsedLock } from "./parse-lock.ts";
import type { FoundLock } from "./open-lock.ts";

/** What a lock's file says, or what is wrong with it. */
export function judgeLock({ read }: Pick<FoundLock, "read">): ParsedLock {
  switch (read.kind) {
    case "text":
      return parseLock(read.text);
    case "too_large":
      return { problem: "is larger than any lock" };
    case "not_utf8":
      return { problem: "is not UTF-8" };
    case "unmarked":
      return { problem: "is empty" };
    case "failed":
      return { problem: `cannot be read (${read.errno})` };
  }
}

/**
 * The lock of a file that is there.
 * @throws AiwError `lock_invalid`: what cannot be read must not count as pinning nothing (SEC-LOCK-1).
 */
export function requireLock(found: FoundLock): AiwLock {
  const judged = judgeLock(found);
  if (judged.problem === undefined) return judged.lock;
  throw new AiwError("lock_invalid", `${toShownText(found.file)} ${judged.problem}.`, {
    fix: judged.fix ?? "Take the version of it that was reviewed, or look at what is installed and run: aiw lock",
    details: { file: found.file },
  });
}

/** @throws AiwError `lock_missing` */
export function refuseMissing(file: string): never {
  throw new AiwError("lock_missing", `Tools must be as a lock pins them, and there is no ${toShownText(file)}.`, {
    fix: "Look at what is installed, then run: aiw lock",
    details: { file },
  });
}
