import { countLines } from "../run-program.mjs";
import { findRipgrep, measureSearch } from "../measure-search.mjs";

const program = await findRipgrep();
let count;
await measureSearch(async (cwd, wanted) => {
  const counter = await countLines(program, ["--json", "--no-require-git", "-e", wanted, "./"], {
    cwd,
    start: '{"type":"match"',
  });
  // Counted once, before anything is timed.
  return (count ??= counter());
});
