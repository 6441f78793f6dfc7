import type { Finding } from "../repo/finding.ts";
import { localImports } from "../repo/imports.ts";
import type { Repo } from "../repo/repo.ts";
import { isSource } from "../repo/workspaces.ts";

/** Which rooms of a package a room may import, besides itself. */
type RoomOrder = Readonly<Record<string, readonly string[]>>;

/** Rooms by package folder; rooms of other packages are free. */
const ORDERS: Readonly<Record<string, RoomOrder>> = {
  "packages/core": {
    contract: [],
    errors: ["contract"],
    schema: ["contract", "errors"],
    define: ["contract", "errors", "schema"],
    validate: ["contract", "errors", "schema"],
    observe: ["contract", "errors"],
    record: ["contract", "errors"],
    run: ["contract", "errors", "schema", "validate", "observe"],
    offer: ["contract", "errors", "schema"],
    register: ["contract", "errors", "schema", "define", "offer", "config"],
    config: ["contract", "errors", "schema"],
    glob: [],
    confine: ["contract", "errors", "glob"],
    workspace: ["contract", "errors", "schema", "confine", "config"],
    journal: ["contract", "errors", "confine", "workspace", "record"],
    net: ["contract", "errors"],
    process: ["errors"],
    discover: ["contract", "errors", "schema", "define", "offer", "register", "config"],
  },
  "packages/executor": {
    pipeline: [],
    call: ["pipeline"],
    approve: ["call", "pipeline", "bound", "render"],
    suspend: ["call", "pipeline"],
    decide: ["call", "pipeline"],
    repeat: ["call", "pipeline", "bound"],
    repair: ["call", "pipeline", "bound"],
    converse: ["call", "pipeline"],
    limit: ["call", "pipeline"],
    execute: ["call", "pipeline"],
    isolate: ["call", "pipeline"],
    bound: ["call", "pipeline", "extend"],
    extend: ["call", "pipeline"],
    render: [],
  },
};

/** Finds imports against the order of rooms, and rooms that import a door or a wiring file. */
export function checkRoomOrder(repo: Repo): Finding[] {
  return repo.files.filter(isSource).flatMap((file) => {
    const from = locate(file);
    const order = from === undefined ? undefined : ORDERS[from.folder];
    if (from === undefined || order === undefined || from.room === undefined) return [];
    const { folder, room } = from;
    const allowed = order[room];
    if (allowed === undefined) return [unknownRoom(file, room)];
    return localImports(repo, file).flatMap((target) => {
      const to = locate(target);
      if (to?.folder !== folder || to.room === room) return [];
      if (to.room === undefined) return [doorImported(file, target)];
      return allowed.includes(to.room) ? [] : [againstOrder(file, target, { room, allowed })];
    });
  });
}

/** The page that says what each room is for. */
export const ROOMS_PAGE = "docs/architecture.md";

/** The headings above the tables of rooms. */
const TABLES: Readonly<Record<string, string>> = {
  "packages/core": "## Rooms of core",
  "packages/executor": "## Rooms of the executor",
};

/** Finds rooms that the page does not explain, and explained ones that are not there. */
export function checkRoomsPage(repo: Repo): Finding[] {
  const page = repo.read(ROOMS_PAGE) ?? "";
  return Object.entries(TABLES).flatMap(([folder, heading]) => {
    const found = new Set(repo.files.flatMap((file) => (isSource(file) && roomOf(folder, file)) || []));
    const known = new Set([...found, ...Object.keys(ORDERS[folder] ?? {})]);
    const explained = new Set(readRooms(page, heading));
    return [
      ...[...known].filter((room) => !explained.has(room)).map((room) => notExplained(room, heading)),
      ...[...known, ...explained].filter((room) => !found.has(room)).map((room) => notThere(folder, room)),
    ];
  });
}

function roomOf(folder: string, file: string): string | undefined {
  const place = locate(file);
  return place?.folder === folder && place.room !== "__fixtures__" ? place.room : undefined;
}

/** First cells of the table below a heading. */
function readRooms(page: string, heading: string): string[] {
  const [, below = ""] = page.split(`${heading}\n`);
  const [table = ""] = below.split("\n## ");
  return [...table.matchAll(/^\| `(?<room>[\w-]+)\/` \|/gmu)].map(([, room = ""]) => room);
}

function notExplained(room: string, heading: string): Finding {
  const repair = `Add a row \`${room}/\` below "${heading}".`;
  return { file: ROOMS_PAGE, rule: "every room is explained", repair };
}

function notThere(folder: string, room: string): Finding {
  const repair = `There is no ${folder}/src/${room}: remove it from ORDERS of room-order.ts and from ${ROOMS_PAGE}.`;
  return { file: ROOMS_PAGE, rule: "nothing but rooms is explained", repair };
}

/** The package and room of a file; files directly in `src/` have no room. */
function locate(file: string): { folder: string; room: string | undefined } | undefined {
  const match = /^(?<folder>(?:packages|plugins)\/[^/]+)\/src\/(?:(?<room>[^/]+)\/)?/u.exec(file)?.groups;
  if (match === undefined) return undefined;
  return { folder: match["folder"] ?? "", room: match["room"] };
}

function unknownRoom(file: string, room: string): Finding {
  const repair = `Move the file to a known room, or give ${room} its place in ORDERS of room-order.ts and in docs/architecture.md.`;
  return { file, rule: "every room has a place in the order of rooms", repair };
}

function doorImported(file: string, target: string): Finding {
  const repair = `Import what ${target} gives from the room that defines it.`;
  return { file, rule: "no room imports a door or the wiring file", repair };
}

function againstOrder(
  file: string,
  target: string,
  { room, allowed }: { room: string; allowed: readonly string[] },
): Finding {
  const rule = `the room ${room} imports only ${allowed.length === 0 ? "itself" : allowed.join(", ")}`;
  return { file, rule, repair: `Do without ${target}: pass it in, or move the line to the room it belongs to.` };
}
