import type { ToolEntry } from "../contract/tool-source.ts";
import { keepNames } from "./keep-names.ts";
import type { ResolvedNames } from "./resolve-names.ts";

/** Which tools of a catalog are told of. */
export interface OfferFilter {
  /** Asked of each tool once for each state of the catalog; `facts` are true of the whole catalog. */
  isOffered(tool: ToolEntry, facts: OfferFacts): boolean;
  /** Another value than before says that the answers may have changed; they last as long as the catalog's state unless given. */
  version?(): number;
}

/** What a tool's entry does not say of it. */
export interface OfferFacts {
  /** True when the short name leads to this very tool. */
  readonly ownsName: boolean;
}

const OWNER: OfferFacts = Object.freeze({ ownsName: true });
const SHADOWED: OfferFacts = Object.freeze({ ownsName: false });

/** Narrows snapshots as they come; each is asked about once, so that what is made of the narrowed one can be kept. */
export function narrowNames(ground: () => ResolvedNames, filter: OfferFilter): () => ResolvedNames {
  let asked: number | undefined;
  let narrowed = new WeakMap<ResolvedNames, ResolvedNames>();
  return () => {
    const version = filter.version?.();
    if (version !== asked) narrowed = new WeakMap();
    asked = version;
    const names = ground();
    const known = narrowed.get(names) ?? keepNames(names, (tool) => filter.isOffered(tool, factsOf(tool, names)));
    narrowed.set(names, known);
    return known;
  };
}

function factsOf(tool: ToolEntry, { byName }: ResolvedNames): OfferFacts {
  return byName.get(tool.name) === tool ? OWNER : SHADOWED;
}
