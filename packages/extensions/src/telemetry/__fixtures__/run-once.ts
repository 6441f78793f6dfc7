import { telemetry } from "../telemetry.ts";
import { makeHost } from "./make-host.ts";

/** A program that makes calls with everything on, and closes if it is told to; its argument is the collector's address. */
const [endpoint = "", end] = process.argv.slice(2);
const extension = await telemetry({ otlp: { endpoint }, prometheus: { port: 0 }, global: true });
const { executor } = makeHost(extension);
// More than one batch, so that one is on its way.
await Promise.all(Array.from({ length: 200 }, () => executor.execute("outer", {})));
if (end === "close") await executor.close();
// A connection that was refused is let go of in the next turn.
await new Promise(setImmediate);
const resources = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap" && name !== "TTYWrap");
process.stdout.write(JSON.stringify({ resources }));
