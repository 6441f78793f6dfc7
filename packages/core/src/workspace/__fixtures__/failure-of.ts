import { ToolError } from "../../errors/tool-error.ts";

/** Gives the error of work that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  try {
    await work;
  } catch (error) {
    if (ToolError.is(error)) return error;
    throw error;
  }
  throw new Error("It was expected to fail.");
}

/** Gives the code that work fails with, or `done`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (ToolError.is(error)) return error.code;
    throw error;
  }
}
