import { createRequire } from "node:module";

/** Finds packages that stand beside this one; none where this one has no folder of its own. */
export const ownRequire: NodeJS.Require | undefined = createRequire(import.meta.url);
