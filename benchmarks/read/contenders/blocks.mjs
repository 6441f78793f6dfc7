import { measureReads } from "../measure-reads.mjs";
import { readBlocks } from "../read-blocks.mjs";

await measureReads(readBlocks);
