import { measureReads } from "../measure-reads.mjs";
import { readOurs } from "../read-ours.mjs";

await measureReads(readOurs);
