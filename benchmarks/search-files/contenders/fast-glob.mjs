// It knows no ignore files; the folder is left out by name.
import fastGlob from "fast-glob";
import { measureSearch } from "../measure-search.mjs";

await measureSearch(async (cwd, pattern) => (await fastGlob(pattern, { cwd, dot: true, ignore: ["built"] })).length);
