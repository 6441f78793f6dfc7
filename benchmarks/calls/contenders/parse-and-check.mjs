// What is left of a call without any framework: the text is parsed, the schema checks it, the work is done.
import { measure } from "../measure.mjs";

await measure(({ schema, execute }) => ({ call: async (text) => execute(schema.parse(JSON.parse(text))) }));
