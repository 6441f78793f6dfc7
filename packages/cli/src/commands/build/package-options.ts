import type { Invocation } from "../../command.ts";
import type { AuthorPackageOptions } from "../author/read-author-package.ts";

/** The package's files that the command line names. */
export function toPackageOptions({ module, source }: Invocation["flags"]): AuthorPackageOptions {
  return { ...(typeof module === "string" && { module }), ...(typeof source === "string" && { source }) };
}
