import { verifyTrail, queryTrail, type TrailSource } from "@aiw/extensions/audit";
import type { Command, Invocation } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { oneLine } from "../output/one-line.ts";
import { printJson, printLine } from "../output/print.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { UsageError } from "../usage-error.ts";
import { findTrail, type FoundTrail } from "./audit/find-trail.ts";
import { formatRecords } from "./audit/format-records.ts";
import { formatVerdict } from "./audit/format-verdict.ts";
import { readFilter, readLimit } from "./audit/read-filter.ts";

const FILTERS = ["tool", "principal", "session", "status", "code", "since", "until", "call", "limit"];

/** `aiw audit` */
export const audit: Command = {
  name: "audit",
  summary: "The record of calls: who called what, and what became of it",
  help: `Usage: aiw audit [verify] [--file FILE] [--json] [--cwd DIR]

Shows the calls that extensions.audit of the configuration recorded, the latest last. verify checks that nothing was changed,
dropped, moved or inserted since: exit code 1 and the place when something was.
--tool NAME       a name or full id, or a glob of one
--principal ID    --session ID    --status STATUS    --code CODE
--call ID         the call and those it made
--since, --until  2026-11-20, 2026-11-20T15:00Z, or an age: 30m, 2h, 1d
--limit N         the latest N, 1 to 10000; 50 unless given
--reverse         the latest first
--file FILE       this record, JSON Lines or a database, in place of the configured one
With verify:
--expect-head H   a hash that an earlier verify gave: the record must have it
--key-env NAME    the environment variable with the key; the one of the configuration unless given`,
  options: {
    ...Object.fromEntries(FILTERS.map((name) => [name, { type: "string" as const }])),
    reverse: { type: "boolean" },
    file: { type: "string" },
    "expect-head": { type: "string" },
    "key-env": { type: "string" },
  },
  positionals: { min: 0, max: 1 },
  async run(invocation) {
    const isVerify = readVerb(invocation);
    const trail = await findTrail(invocation);
    return isVerify ? verify(trail, invocation) : query(trail, invocation);
  },
};

/** A flag that silently did nothing would be taken for an answer. */
function readVerb({ positionals: [verb], flags }: Invocation): boolean {
  if (verb !== undefined && verb !== "verify")
    throw new UsageError(`aiw audit has no ${JSON.stringify(verb)}; there is: aiw audit verify`);
  const unfit = verb === undefined ? ["expect-head", "key-env"] : [...FILTERS, "reverse"];
  const wrong = unfit.find((name) => flags[name] !== undefined);
  if (wrong === undefined) return verb !== undefined;
  throw new UsageError(
    verb === undefined ? `--${wrong} needs: aiw audit verify` : `aiw audit verify takes no --${wrong}.`,
  );
}

async function query({ path, source }: FoundTrail, { io, json, flags }: Invocation): Promise<ExitCode> {
  const filter = readFilter(flags, Date.now());
  const limit = readLimit(flags["limit"]);
  const found =
    source === undefined ? { records: [], matched: 0, unreadable: 0 } : await queryTrail(source, filter, limit);
  const records = flags["reverse"] === true ? found.records.toReversed() : found.records;
  const { matched, unreadable } = found;
  if (json) printJson(io.stdout, { trail: path, matched, unreadable, records });
  else if (records.length > 0) printLine(io.stdout, formatRecords(records, io.columns));
  for (const line of sayBeside({ path, source, shown: records.length, matched, unreadable }))
    printLine(io.stderr, wrapLines(line, io.talkColumns));
  return EXIT.ok;
}

interface Shown {
  readonly path: string;
  readonly source: TrailSource | undefined;
  readonly shown: number;
  readonly matched: number;
  readonly unreadable: number;
}

/** Standard output is the records alone. */
function sayBeside({ path, source, shown, matched, unreadable }: Shown): string[] {
  const place = oneLine(path);
  if (source === undefined) return [`No call is recorded yet in ${place}.`];
  return [
    ...(matched === 0 ? [`No recorded call in ${place} fits.`] : []),
    ...(matched > shown ? [`${shown} of ${matched} calls. More: --limit ${Math.min(matched, 10_000)}`] : []),
    ...(unreadable > 0 ? [`${unreadable} lines are no records. Look: aiw audit verify`] : []),
  ];
}

async function verify({ path, source, key }: FoundTrail, { io, json, flags }: Invocation): Promise<ExitCode> {
  if (source === undefined) {
    const what = "there is no record of calls here: none was made yet, or it was removed";
    if (json)
      printJson(io.stdout, {
        trail: path,
        intact: false,
        records: 0,
        calls: 0,
        problems: [{ file: path, what }],
        problemCount: 1,
        torn: 0,
        lost: 0,
      });
    else printLine(io.stdout, wrapLines(`${oneLine(path)}: ${what}`, io.columns));
    return EXIT.failed;
  }
  const expectHead = flags["expect-head"];
  const verdict = await verifyTrail(source, {
    ...(key !== undefined && { key }),
    ...(typeof expectHead === "string" && { expectHead }),
  });
  if (json) printJson(io.stdout, { trail: path, ...verdict });
  else printLine(io.stdout, wrapLines(formatVerdict(path, verdict), io.columns));
  return verdict.intact ? EXIT.ok : EXIT.failed;
}
