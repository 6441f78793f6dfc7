import { defineTool, nearestNames, ToolError, toJsonValue, type Json, type Tool, type ToolContext } from "@aiw/core";
import { READS_RESULTS, type ResultReader } from "../call/result-reader.ts";
import { isRecord } from "../call/is-record.ts";

/** Whoever keeps whole results: a conversation or its executor. */
export interface ResultKeeper {
  readFullResult(reference: string, reader: ResultReader): Promise<unknown>;
}

/** How results are read back. */
export interface ReadResultOptions {
  /** `read_result` unless named; for a project that has a tool of that name. */
  readonly name?: string;
}

/** What a model asks. */
export interface ReadResultInput {
  /** As the shortened result, or the refusal of a repeated call, says it: `result:…`. */
  readonly reference: string;
  /** JSON pointer to the part that is wanted; the whole unless given. */
  readonly pointer?: string;
  /** First character, from 0. */
  readonly offset?: number;
  /** Characters at most. */
  readonly limit?: number;
}

/** A part of a result: a text as it is, everything else as JSON. */
export interface ReadResultOutput {
  readonly content: string;
  readonly offset: number;
  readonly total_characters: number;
  /** Where to read on; absent at the end. */
  readonly next_offset?: number;
}

const DEFAULT_LIMIT = 20_000;
const MAX_LIMIT = 200_000;

/** Characters that the other fields take. */
const FRAME = 200;

const INPUT = {
  type: "object",
  properties: {
    reference: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: 'The reference, such as "result:1f0c…", exactly as it was given.',
    },
    pointer: {
      type: "string",
      maxLength: 1000,
      default: "",
      description: 'JSON pointer to the part that is wanted, such as "/files/0/content"; empty for the whole.',
    },
    offset: { type: "integer", minimum: 0, default: 0, description: "First character, from 0; next_offset reads on." },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: "Characters at most.",
    },
  },
  required: ["reference"],
  additionalProperties: false,
} as const;

/**
 * Makes the tool with which a model reads results that were too long for it, or that it was given before.
 * @throws AiwError `tool_definition_invalid` for a name that no tool may have.
 */
export function createReadResult(
  keeper: ResultKeeper,
  { name = "read_result" }: ReadResultOptions = {},
): Tool<ReadResultInput, ReadResultOutput> {
  const tool = defineTool({
    name,
    title: "Read a result",
    description:
      "Reads a result that was shortened, or that an earlier call gave, by the reference under which the host keeps it. " +
      "Long ones are read in parts: pass next_offset as offset to read on.",
    input: INPUT,
    effects: "read",
    tags: ["meta", READS_RESULTS],
    instructions: {
      purpose: "See the rest of a result without making its call again.",
      expectedOutput:
        "content (text as it is, everything else as JSON), offset, total_characters, and next_offset when more follows.",
      examples: [
        {
          when: "a result ended with a reference",
          input: { reference: "result:1f0c9f6e-0d0c-4f0e-9a57-3b8d5c1e2a44" },
        },
        {
          when: "read on after 20,000 characters",
          input: { reference: "result:1f0c9f6e-0d0c-4f0e-9a57-3b8d5c1e2a44", offset: 20_000 },
        },
      ],
    },
    execute: (input, context) => readResult(keeper, input, context),
  });
  return tool as Tool<ReadResultInput, ReadResultOutput>;
}

async function readResult(
  keeper: ResultKeeper,
  { reference, pointer = "", offset = 0, limit = DEFAULT_LIMIT }: ReadResultInput,
  { maxResultCharacters = Number.POSITIVE_INFINITY, sessionId, principal }: ToolContext,
): Promise<ReadResultOutput> {
  const whole = await keeper.readFullResult(reference, { sessionId, principal });
  if (whole === undefined) {
    throw new ToolError("not_found", "No result is kept under this reference, or it gave way to later ones.", {
      suggestion: "Make the call again whose result it was.",
    });
  }
  const part = followPointer(toJsonValue(whole), pointer);
  const text = typeof part === "string" ? part : JSON.stringify(part, undefined, 2);
  if (offset > 0 && offset >= text.length) {
    throw new ToolError("invalid_input", `offset lies past the end: the text has ${text.length} characters.`, {
      suggestion: `Use an offset from 0 to ${Math.max(0, text.length - 1)}.`,
    });
  }
  const content = cutWithin(text, { offset, limit, room: maxResultCharacters - FRAME });
  const next = offset + content.length;
  return {
    content,
    offset,
    total_characters: text.length,
    ...(next < text.length && { next_offset: next }),
  };
}

/** @throws ToolError `not_found`, with the names there are. */
function followPointer(root: Json, pointer: string): Json {
  let part = root;
  for (const segment of toSegments(pointer)) {
    const known = typeof part === "object" && part !== null && Object.hasOwn(part, segment);
    if (!known) throw noSuchPart(part, segment, pointer);
    part = (part as { readonly [name: string]: Json })[segment] ?? null;
  }
  return part;
}

function toSegments(pointer: string): string[] {
  const path = pointer.startsWith("/") || pointer === "" ? pointer : `/${pointer}`;
  return path
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const MOST_NAMES = 20;

function noSuchPart(part: Json, segment: string, pointer: string): ToolError {
  const names = isRecord(part) ? Object.keys(part) : [];
  const [nearest] = nearestNames(segment, names, 1);
  const shown = names.slice(0, MOST_NAMES).join(", ");
  const there = Array.isArray(part) ? `a list of ${part.length}` : shown === "" ? "no members" : `the members ${shown}`;
  return new ToolError(
    "not_found",
    `The result has nothing at ${pointer}: there is ${there} where ${segment} is looked for.`,
    {
      suggestion: nearest === undefined ? "Leave pointer out to see the whole." : `Did you mean ${nearest}?`,
    },
  );
}

interface Cut {
  readonly offset: number;
  readonly limit: number;
  /** Characters that the content may take as JSON. */
  readonly room: number;
}

/** Cuts between characters; what takes more room as JSON than there is becomes shorter. */
function cutWithin(text: string, { offset, limit, room }: Cut): string {
  let content = cutAt(text, offset, offset + limit);
  for (let size = JSON.stringify(content).length; size > room && content.length > 1;) {
    content = cutAt(text, offset, offset + Math.max(1, Math.floor((content.length * room) / size) - 1));
    size = JSON.stringify(content).length;
  }
  return content;
}

/** Never ends within a character, at the price of one unit more where the limit is one. */
function cutAt(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  if (to >= text.length || !/[\uD800-\uDBFF]$/u.test(part)) return part;
  return part.length > 1 ? part.slice(0, -1) : text.slice(from, to + 1);
}
