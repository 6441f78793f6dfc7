/** How often a property is tried: as often as given, or as the environment asks for one thorough run. */
export function runs(usual: number): number {
  return Number(process.env["AIW_PROPERTY_RUNS"] ?? usual);
}

/** Milliseconds a property may take: as many as given, or as many as a thorough run needs. */
export function timeFor(usual: number): number {
  return process.env["AIW_PROPERTY_RUNS"] === undefined ? usual : 14_400_000;
}
