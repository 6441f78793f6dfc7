import { countLines } from "../run-program.mjs";
import { findRipgrep, measureSearch } from "../measure-search.mjs";

const program = await findRipgrep();
let count;
await measureSearch(async (cwd, wanted) => {
  const counter = await countLines(program, ["--files", "--hidden", "--no-require-git", "--glob", wanted], { cwd });
  return (count ??= counter());
});
