const FILE = "file:";
const FOLDER = "folder:";

/** Names a file in {@link Assessment.resources}; the path is absolute and free of links. */
export function toFileResource(path: string): string {
  return `${FILE}${path}`;
}

/** Names a folder and everything below it in {@link Assessment.resources}; the path is absolute and free of links. */
export function toFolderResource(path: string): string {
  return `${FOLDER}${path}`;
}

/** The path of a resource that is a file; undefined for every other resource. */
export function fromFileResource(resource: string): string | undefined {
  return resource.startsWith(FILE) && resource.length > FILE.length ? resource.slice(FILE.length) : undefined;
}
