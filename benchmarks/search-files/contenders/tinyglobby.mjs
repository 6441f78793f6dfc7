// It knows no ignore files; the folder is left out by name.
import { glob } from "tinyglobby";
import { measureSearch } from "../measure-search.mjs";

await measureSearch(async (cwd, pattern) => (await glob(pattern, { cwd, dot: true, ignore: ["built"] })).length);
