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
  return pathAfter(FILE, resource);
}

/** The path of a resource that is a folder; undefined for every other resource. */
export function fromFolderResource(resource: string): string | undefined {
  return pathAfter(FOLDER, resource);
}

function pathAfter(prefix: string, resource: string): string | undefined {
  return resource.startsWith(prefix) && resource.length > prefix.length ? resource.slice(prefix.length) : undefined;
}
