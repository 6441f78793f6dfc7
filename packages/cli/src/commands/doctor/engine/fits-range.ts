/** True unless a version is known not to be in a range; what nobody can read says nothing. */
export async function fitsRange(version: string | undefined, range: unknown): Promise<boolean> {
  if (version === undefined || typeof range !== "string") return true;
  const [{ default: satisfies }, { default: validRange }, { default: valid }] = await Promise.all([
    import("semver/functions/satisfies.js"),
    import("semver/ranges/valid.js"),
    import("semver/functions/valid.js"),
  ]);
  if (validRange(range) === null || valid(version) === null) return true;
  return satisfies(version, range, { includePrerelease: true });
}
