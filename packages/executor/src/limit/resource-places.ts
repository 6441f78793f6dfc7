import { fromFileResource, fromFolderResource, toFolderResource } from "@aiw/core";

/** A resource by its key, and whether only something within it is used. */
export interface ResourcePlace {
  readonly key: string;
  readonly within: boolean;
}

/** Levels of folders that are told apart; what lies deeper counts as the folder on the last of them. */
const MAX_LEVELS = 64;

/** Gives what a call uses that names a resource: the resource, and something within every folder above a file or folder. */
export function toResourcePlaces(resource: string): ResourcePlace[] {
  const [file, folder] = [fromFileResource(resource), fromFolderResource(resource)];
  const path = file ?? folder;
  if (path === undefined) return [{ key: resource, within: false }];
  const folders = listFolders(path).map((each) => ({ key: toFolderResource(each), within: true }));
  if (file !== undefined) return [{ key: resource, within: false }, ...folders];
  return folders.map((place, index) => (index === folders.length - 1 ? { ...place, within: false } : place));
}

/** The path and the folders above it, outermost first. */
function listFolders(path: string): string[] {
  // A backslash is a letter like others in names that begin with a slash.
  const names = path.split(path.startsWith("/") ? "/" : /[/\\]/).filter((name) => name !== "");
  const folders = ["/"];
  for (const name of names.slice(0, MAX_LEVELS)) folders.push(`${folders.at(-1)}${name}/`);
  return folders;
}
