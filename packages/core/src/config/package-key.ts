const NAME = "[A-Za-z0-9~-][A-Za-z0-9._~!'()*-]*";
const PACKAGE_KEY = new RegExp(`^(?:@${NAME}/)?${NAME}$`);

/** Characters npm allows a package name to have. */
const MAX_LENGTH = 214;

/** True for what npm accepts as a dependency key; no such key can steer a path. */
export function isPackageKey(key: string): boolean {
  return key.length <= MAX_LENGTH && PACKAGE_KEY.test(key) && !key.split("/").includes("node_modules");
}
