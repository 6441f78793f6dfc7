/** How often a property is tried: as often as given, or as the environment asks for one thorough run. */
export function runs(usual: number): number {
  return Number(process.env["AIW_PROPERTY_RUNS"] ?? usual);
}
