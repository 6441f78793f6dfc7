/** Keywords that say nothing to a model that calls functions. */
export const DROPPED_KEYWORDS: readonly string[] = [
  "title",
  "$schema",
  "$id",
  "$comment",
  "readOnly",
  "$dynamicAnchor",
];

/** Keywords that no function-calling endpoint reads, so that they are said in words. */
export const DESCRIBED_KEYWORDS: readonly string[] = [
  "not",
  "$dynamicRef",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "contains",
  "minContains",
  "maxContains",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
];
