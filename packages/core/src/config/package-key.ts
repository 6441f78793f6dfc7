const NAME = "[A-Za-z0-9~-][A-Za-z0-9._~!'()*-]*";

/** What npm accepts as a dependency key, as a regular expression; no such key can steer a path. */
export const PACKAGE_KEY_PATTERN: string = `^(?!(?:.*/)?node_modules(?:/|$))(?:@${NAME}/)?${NAME}$`;

/** Characters npm allows a package name to have. */
export const MAX_PACKAGE_KEY = 214;

const PACKAGE_KEY = new RegExp(PACKAGE_KEY_PATTERN, "u");

/** True for what npm accepts as a dependency key; no such key can steer a path. */
export function isPackageKey(key: string): boolean {
  return key.length <= MAX_PACKAGE_KEY && PACKAGE_KEY.test(key);
}
