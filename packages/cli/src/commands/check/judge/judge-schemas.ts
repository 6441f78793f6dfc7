import type { Ajv2020 } from "ajv/dist/2020.js";
import {
  compileDefinition,
  compileSchema,
  DEFINITION_FORMATS,
  isOmitted,
  validateInput,
  type DefinitionFormat,
  type JsonObject,
  type JsonSchema,
  type ToolSpec,
} from "@aiw/core";
import { toShown } from "../../../output/to-shown.ts";
import type { CheckFinding, Verdict } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { fail, nameSome, warn, when } from "./finding.ts";
import { listSpecIssues } from "./judge-specs.ts";

const NO_MANIFEST = { skipped: "there is no manifest to read" };

/** Schemas that compile, that strict validators take, and of which everything is checked. */
export async function judgeSchemas(subject: CheckSubject): Promise<Verdict> {
  const { manifest } = subject;
  if (manifest === undefined) return NO_MANIFEST;
  const findings = listSpecIssues(subject, "schemas");
  for (const spec of manifest.specs) {
    for (const member of ["inputSchema", "outputSchema"] as const) {
      const schema = spec[member];
      if (schema === undefined) continue;
      const told = { tool: spec.name, file: manifest.file };
      for (const finding of await judgeSchema(schema)) findings.push({ ...finding, ...told, pointer: `/${member}` });
    }
  }
  return findings;
}

async function judgeSchema(schema: JsonSchema): Promise<CheckFinding[]> {
  try {
    const { notes } = await compileSchema(schema, { fillDefaults: false });
    const unchecked = notes.map(({ pointer, keyword, message }) =>
      toShown(`${keyword} at ${pointer || "/"} (${message})`),
    );
    const strict = await complainStrictly(schema);
    return [
      ...when(
        unchecked.length > 0,
        warn({
          reason: `It says what nobody checks: ${nameSome(unchecked, 3)}.`,
          fix: "Use patterns without look-around and formats of JSON Schema.",
        }),
      ),
      ...when(
        strict !== undefined,
        warn({ reason: `A strict validator refuses it: ${strict}.`, fix: "Correct the keyword, or take it out." }),
      ),
    ];
  } catch (error) {
    const reason = toShown(error instanceof Error ? error.message : String(error));
    return [fail({ reason, fix: "Correct the schema, then: aiw build" })];
  }
}

/** Keywords nobody knows are mostly misspelt ones. */
async function complainStrictly(schema: JsonSchema): Promise<string | undefined> {
  const ajv = await (validator ??= createValidator());
  // Patterns are checked by another engine, and told above.
  const plain = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "pattern" && typeof value === "string" ? "" : value,
  ) as object;
  try {
    ajv.compile(plain);
    return undefined;
  } catch (error) {
    return toShown(error instanceof Error ? error.message : String(error));
  } finally {
    // The next one may have the same $id.
    ajv.removeSchema(plain);
  }
}

/** Made once: it compiles the schema of schemas. */
let validator: Promise<Ajv2020> | undefined;

async function createValidator(): Promise<Ajv2020> {
  const [{ Ajv2020: Validator }, { fullFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats/dist/formats.js"),
  ]);
  const ajv = new Validator({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    validateFormats: true,
    logger: false,
  });
  for (const name of Object.keys(fullFormats)) ajv.addFormat(name, true);
  return ajv;
}

/** Examples are calls that would be admitted. */
export async function judgeExamples(subject: CheckSubject): Promise<Verdict> {
  const { manifest } = subject;
  if (manifest === undefined) return NO_MANIFEST;
  const findings = listSpecIssues(subject, "examples");
  for (const spec of manifest.specs) {
    for (const [index, { input }] of (spec.instructions?.examples ?? []).entries()) {
      const problem = await refuseExample(spec, input);
      if (problem === undefined) continue;
      const pointer = `/instructions/examples/${index}/input`;
      findings.push(
        fail({
          tool: spec.name,
          file: manifest.file,
          pointer,
          reason: problem,
          fix: "Write arguments that the tool takes, then: aiw build",
        }),
      );
    }
  }
  return findings;
}

async function refuseExample(spec: ToolSpec, input: JsonObject): Promise<string | undefined> {
  try {
    await validateInput(spec, structuredClone(input), { fillDefaults: false });
    return undefined;
  } catch (error) {
    return toShown(error instanceof Error ? error.message : String(error));
  }
}

/** Every format in which a model may be told of a tool can say it. */
export function judgeFormats({ manifest }: CheckSubject): Verdict {
  if (manifest === undefined) return NO_MANIFEST;
  return manifest.specs.flatMap((spec) =>
    DEFINITION_FORMATS.flatMap((format) => judgeFormat(spec, { format, file: manifest.file })),
  );
}

function judgeFormat(spec: ToolSpec, { format, file }: { format: DefinitionFormat; file: string }): CheckFinding[] {
  const compiled = compileDefinition(spec, { format });
  const told = { tool: spec.name, file };
  if (isOmitted(compiled))
    return [fail({ ...told, reason: `${format} cannot say it: ${compiled.reason}`, fix: compiled.fix })];
  const lost = compiled.losses
    .filter(({ kept }) => kept === "validator")
    .map(({ pointer, keyword }) => toShown(`${keyword} at ${pointer || "/"}`));
  return [
    ...when(
      lost.length > 0,
      warn({
        ...told,
        reason: `In ${format} a model is not told of ${nameSome(lost)}; calls are still checked.`,
        fix: "Say it in the description of the parameter, or leave it out of the schema.",
      }),
    ),
    ...compiled.warnings.map(({ message }) =>
      warn({
        ...told,
        reason: `${format}: ${message}`,
        fix: "Shorten the definition: move detail from the tool to its parameters.",
      }),
    ),
  ];
}
