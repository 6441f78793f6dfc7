import { clip, isRecord, ownField, parseJson, stringField, stringsOf } from "./json.ts";
import type { JsonRecord } from "./json.ts";
import { parseCallText } from "./parse-call-text.ts";
import type { CallText } from "./parse-call-text.ts";

/** What a failed call tells, whether it came as JSON or as lines of text. */
export interface Failure {
  /** The message without the call it starts with. */
  message: string;
  /** The tool's own code, or the one its words amount to. */
  code: string;
  refused: boolean;
  /** Calls the failure proposes, in order. */
  suggested: readonly CallText[];
  /** Names the failure says are near the one asked for. */
  nearest: readonly string[];
  details: JsonRecord;
}

const codesByWords: readonly (readonly [RegExp, string])[] = [
  [
    /needs? (?:approval|a person)|approval[_ ](?:is )?required|nobody (?:can|to|is there to) (?:ask|approve|answer)/i,
    "approval_required",
  ],
  [
    /(?:declined|rejected|denied|refused) by (?:a|the) (?:person|user|approver|operator)|approval[_ ]denied/i,
    "approval_denied",
  ],
  [/outside (?:the |of the |every |all |its )*(?:allowed )?(?:roots?|workspace)/i, "outside_root"],
  [/\b(?:denied|refused|forbidden|blocked|not allowed|not permitted)\b/i, "denied_by_policy"],
  [/too large|larger than|exceeds? (?:the )?(?:limit|maximum|size)/i, "too_large"],
  [/already exists/i, "already_exists"],
  [/(?:has not|was not|not) (?:been )?(?:fully )?(?:read|shown)\b|unread/i, "unread_target"],
  [/is a directory|not a (?:regular )?file/i, "not_a_file"],
  [/not a directory/i, "not_a_directory"],
  [/not found|no such|does not exist|cannot find|enoent/i, "not_found"],
  [/invalid reg|bad pattern|regular expression/i, "invalid_regex"],
  [/\btimed? ?out\b|deadline/i, "timeout"],
  [/binary/i, "binary_file"],
  [/exit(?:ed)?(?: with)?(?: code)? \d+|command failed/i, "command_failed"],
  [/problems? with the arguments|invalid (?:input|argument)|required, missing/i, "invalid_input"],
];

const refusals = new Set([
  "approval_required",
  "approval_denied",
  "denied_by_policy",
  "permission_denied",
  "command_denied",
  "outside_root",
  "protected_path",
  "path_changed",
  "blocked_url",
  "blocked_address",
  "robots_denied",
  "capability_exceeded",
]);

/** Reads a failure out of a result that says the call did not succeed. */
export function readFailure(value: unknown): Failure {
  const parsed = typeof value === "string" && value.trimStart().startsWith("{") ? parseJson(value) : value;
  return isRecord(parsed)
    ? fromRecord(parsed)
    : fromText(typeof value === "string" ? value : (JSON.stringify(value) ?? "no reason was given"));
}

function fromRecord(record: JsonRecord): Failure {
  const error = stringField(record, "error") ?? stringField(record, "message") ?? "the call failed";
  const suggestion = stringField(record, "suggestion") ?? "";
  const told = fromText(`${error}\n${suggestion}`, record);
  const errorType = stringField(record, "error_type");
  const byType =
    errorType === "permission_error" || errorType === "security_error" || stringField(record, "status") === "denied";
  return { ...told, message: messageOf(error), refused: told.refused || byType };
}

function fromText(text: string, known?: JsonRecord): Failure {
  const lines = text.slice(0, 40_000).split("\n");
  const last = known === undefined ? parseJson(lines.findLast((line) => line.startsWith("{")) ?? "") : known;
  const details = isRecord(last) ? last : {};
  const words = lines.filter((line) => !line.startsWith("{")).join("\n");
  const message = messageOf(words);
  const code = stringField(details, "code") ?? codeOf(message);
  const own = leadingCall(words);
  const suggested = parseCallText(own === undefined ? words : words.slice(own.end));
  return { message, code, refused: refusals.has(code), suggested, nearest: nearestNames(details, message), details };
}

/** Names and quotations in a message are the caller's own words and tell nothing of the reason. */
function codeOf(message: string): string {
  const [first = ""] = message.split("\n");
  const reason = first.replaceAll(/"[^"]*"|`[^`]*`|\S*[./\\]\S+/gu, " ");
  return codesByWords.find(([pattern]) => pattern.test(reason))?.[1] ?? "failed";
}

/** A message starts with the call it is about, whose arguments say nothing about the reason. */
function messageOf(text: string): string {
  const own = leadingCall(text);
  const rest =
    own === undefined
      ? text.replace(/^[a-z_]\w{0,63}\(.{0,400}?\): /iu, "")
      : text.slice(own.end).replace(/^:\s*/u, "");
  return clip(rest.trim() === "" ? "no reason was given" : rest.trim(), 600);
}

function leadingCall(text: string): CallText | undefined {
  const first = parseCallText(text)[0];
  return first?.start === 0 && text[first.end] === ":" ? first : undefined;
}

function nearestNames(details: JsonRecord, message: string): string[] {
  const listed = Object.keys(details)
    .filter((name) => /nearest|candidates|similar|did_you_mean|suggestions/i.test(name))
    .flatMap((name) => {
      const field = ownField(details, name);
      return [
        ...stringsOf(field),
        ...(Array.isArray(field) ? field : []).flatMap((item) => stringField(item, "path") ?? []),
      ];
    });
  const spoken =
    /did you mean:? ([^\n?]{1,400})/i.exec(message)?.[1] ??
    /nearest(?: names?| match(?:es)?)?:? ([^\n?]{1,400})/i.exec(message)?.[1] ??
    "";
  const named = spoken
    .split(/,\s*|\s+or\s+/u)
    .map((name) => name.trim().replaceAll(/^["'`]|["'`.]+$/gu, ""))
    .filter((name) => /^[^\s]{1,300}$/u.test(name));
  return [...new Set([...listed, ...named])].slice(0, 5);
}
