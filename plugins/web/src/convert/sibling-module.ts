/** Finds a module beside the one at `from`: a source beside a source, JavaScript beside JavaScript. */
export function siblingModule(from: string, name: string): URL {
  const extension = new URL(from).pathname.endsWith(".ts") ? "ts" : "js";
  return new URL(`./${name}.${extension}`, from);
}
