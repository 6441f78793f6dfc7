import { countLines } from "../run-program.mjs";
import { findRipgrep, measureSearch } from "../measure-search.mjs";

const program = await findRipgrep();
let count;
await measureSearch(async (cwd, wanted) => {
  const counter = await countLines(program, ["--line-number", "--no-require-git", "-e", wanted, "./"], { cwd });
  // Counted once, before anything is timed.
  return (count ??= counter());
});
