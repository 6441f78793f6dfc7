/** One station of a call, in the words of events, records and documentation. */
export interface StageDescription {
  readonly name: string;
  /** What has happened to the call once it passed. */
  readonly about: string;
}

/** The order every call takes; policy, limits and records each have one place in it. */
export const PIPELINE_STAGES = [
  { name: "bound_input", about: "Arguments are plain JSON within size, depth and node limits." },
  { name: "trace", about: "The call has an identity that spans and logs share." },
  { name: "audit_open", about: "The call is announced: `tool_call_start`." },
  { name: "authorize_tool", about: "The caller may use the tool at all." },
  { name: "validate_input", about: "Arguments fit the tool's schemas; its code is loaded." },
  { name: "authorize_arguments", about: "These arguments were assessed and judged: allow, ask or deny." },
  { name: "repeat_check", about: "The call is no futile repetition of an earlier one." },
  { name: "rate_limit", about: "The caller has not called too often." },
  { name: "approval", about: "A person agreed where the judgement was to ask." },
  { name: "concurrency", about: "The call holds its slot and its locks." },
  { name: "timeout_retry", about: "The clock runs; a failed attempt may be followed by another." },
  { name: "execute", about: "The executor of the tool's type runs it." },
  {
    name: "validate_output",
    about: "The value is what the tool promises: checked with the execution, for every attempt.",
  },
  { name: "bound_result", about: "The result is short enough for a model, and has a preview." },
  { name: "audit_close", about: "The one terminal event is out: `tool_call_end` or `error`." },
] as const;

/** The name of a stage. */
export type PipelineStage = (typeof PIPELINE_STAGES)[number]["name"];

const ORDER: ReadonlyMap<PipelineStage, number> = new Map(PIPELINE_STAGES.map(({ name }, index) => [name, index]));

/** The place of a stage, from 0. */
export function stageIndex(stage: PipelineStage): number {
  return ORDER.get(stage) ?? PIPELINE_STAGES.length;
}
