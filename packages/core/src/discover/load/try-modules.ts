import type { TrialVerdict } from "../guards/trial-import.ts";
import { Slots } from "../guards/slots.ts";

/** Imports a module where it can do no harm, and says how that went. */
export type TryModule = (url: string, timeoutMs: number) => Promise<TrialVerdict>;

/** Processes that run at the same time, on a small machine too: those that hang must not hold up the others. */
const MAX_TRIALS = 4;

const slots = new Slots(MAX_TRIALS);

/** Tries modules in processes of their own, some of them at the same time. */
export const tryInProcess: TryModule = (url, timeoutMs) =>
  slots.run(async () => {
    const { tryImport } = await import("../guards/trial-import.ts");
    return tryImport(url, timeoutMs);
  });
