// ripgrep's own listing; a type leaves ignore rules as they are, which a glob does not.
import { findRipgrep, measureSearch } from "./measure-search.mjs";
import { countLines } from "./run-program.mjs";

/** Times ripgrep's listing with options of its own. */
export async function listFiles(options) {
  const program = await findRipgrep();
  let count;
  await measureSearch(async (cwd, pattern) => {
    const ending = /\*\.\w+$/u.exec(pattern)?.[0];
    const type = ending === undefined ? [] : [`--type-add=wanted:${ending}`, "--type=wanted"];
    const args = ["--files", "--hidden", "--no-require-git", ...options, ...type];
    const counter = await countLines(program, args, { cwd });
    return (count ??= counter());
  });
}
