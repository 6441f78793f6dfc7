/** The language's own globals; what they lead to is looked at too. */
const LANGUAGE = [
  ...[
    "Object",
    "Function",
    "Array",
    "String",
    "Number",
    "Boolean",
    "Symbol",
    "BigInt",
    "Math",
    "JSON",
    "Reflect",
    "Proxy",
  ],
  ...["Date", "RegExp", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "FinalizationRegistry", "Promise", "Iterator"],
  ...["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"],
  ...[
    "ArrayBuffer",
    "SharedArrayBuffer",
    "DataView",
    "Atomics",
    "Uint8Array",
    "Uint8ClampedArray",
    "Uint16Array",
    "Uint32Array",
  ],
  ...[
    "Int8Array",
    "Int16Array",
    "Int32Array",
    "Float32Array",
    "Float64Array",
    "BigInt64Array",
    "BigUint64Array",
    "Intl",
  ],
  ...[
    "parseInt",
    "parseFloat",
    "isNaN",
    "isFinite",
    "encodeURI",
    "encodeURIComponent",
    "decodeURI",
    "decodeURIComponent",
    "eval",
  ],
];

/** Standard members that an older engine lacks; compilers and this project's own core put them there. */
const STANDARD = new Set(["Symbol.metadata", "Symbol.dispose", "Symbol.asyncDispose"]);

type Shape = ReadonlyMap<PropertyKey, PropertyDescriptor>;

/** One object with all that it had; lists, since what looks things up in maps may be what was replaced. */
interface Known {
  readonly value: object;
  readonly path: string;
  readonly keys: readonly PropertyKey[];
  readonly members: readonly PropertyDescriptor[];
  readonly parent: object | null;
}

/** What globals were at one moment. */
export interface GlobalsSnapshot {
  readonly intrinsics: readonly Known[];
  readonly globals: Shape;
  readonly process: Shape;
  readonly console: Shape;
}

/** What is different since a snapshot. */
export interface GlobalsDifference {
  readonly intrinsics: string[];
  /** New names. */
  readonly globals: string[];
  readonly redirected: string[];
}

// Code that is watched may replace them.
const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty, getPrototypeOf } = Reflect;
const isEqual = Object.is;

/** Remembers every member of the language's built-ins, and those of Node that code redirects. */
export function snapshotGlobals(): GlobalsSnapshot {
  const intrinsics = new Map<object, Known>();
  const queue: [path: string, value: unknown][] = LANGUAGE.map((name) => [name, Reflect.get(globalThis, name)]);
  queue.push(["%ArrayIteratorPrototype%", Object.getPrototypeOf([][Symbol.iterator]())]);
  queue.push(["%GeneratorFunction%", Object.getPrototypeOf(function* () {})]);
  queue.push(["%AsyncFunction%", Object.getPrototypeOf(async () => {})]);
  queue.push(["%AsyncGeneratorFunction%", Object.getPrototypeOf(async function* () {})]);
  for (const [path, value] of queue) {
    if (!isObject(value) || intrinsics.has(value)) continue;
    const shape = shapeOf(value);
    const parent = getPrototypeOf(value);
    intrinsics.set(value, { value, path, keys: [...shape.keys()], members: [...shape.values()], parent });
    for (const [key, { value: member, get, set }] of shape) {
      const at = toPath(path, key);
      queue.push([at, member], [at, get], [at, set]);
    }
    queue.push([`the prototype of ${path}`, parent]);
  }
  return {
    intrinsics: [...intrinsics.values()],
    globals: shapeOf(globalThis),
    process: shapeOf(process),
    console: shapeOf(console),
  };
}

/** Names what is not as it was, and puts the language's built-ins back: whoever tells of it needs them. */
export function compareGlobals(before: GlobalsSnapshot): GlobalsDifference {
  const intrinsics = restoreIntrinsics(before.intrinsics).map(([path, key]) =>
    key === undefined ? `the prototype of ${path}` : toPath(path, key),
  );
  const globals = shapeOf(globalThis);
  const added = [...globals.keys()].filter((key) => !before.globals.has(key));
  const changedGlobals = [...before.globals].flatMap(([key, was]) => judgeGlobal(key, { was, is: globals.get(key) }));
  const changedProcess = judgeFunctions("process", { was: before.process, is: shapeOf(process) });
  const changedConsole = judgeFunctions("console", { was: before.console, is: shapeOf(console) });
  // Streams are looked at only now: asking for one makes it, and changes how its descriptor writes.
  const redirected = (["stdout", "stderr"] as const).flatMap((name) =>
    Object.hasOwn(process[name], "write") ? [`process.${name}.write`] : [],
  );
  const isStream = (path: string): boolean => path === "process.stdout" || path === "process.stderr";
  return {
    intrinsics: [
      ...intrinsics.filter((name) => !STANDARD.has(name)),
      ...changedGlobals,
      ...changedProcess.filter((path) => !isStream(path)),
    ],
    globals: added.map(String),
    redirected: [...redirected, ...changedConsole, ...changedProcess.filter(isStream)],
  };
}

/** The path of an object, and the member of it; its prototype where none is named. */
type Changed = readonly [path: string, key?: PropertyKey];

/** Uses no member of a built-in until all of them are back: any may be what was replaced. */
function restoreIntrinsics(intrinsics: readonly Known[]): Changed[] {
  const changed: Changed[] = [];
  for (let at = 0; at < intrinsics.length; at += 1) {
    const known = intrinsics[at];
    if (known === undefined) continue;
    restoreMembers(known, changed);
    removeAdded(known, changed);
    if (getPrototypeOf(known.value) !== known.parent) changed[changed.length] = [known.path];
  }
  return changed;
}

function restoreMembers({ value, path, keys, members }: Known, changed: Changed[]): void {
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? "";
    const was = members[at] ?? {};
    if (isSame(was, getOwnPropertyDescriptor(value, key))) continue;
    changed[changed.length] = [path, key];
    defineProperty(value, key, was);
  }
}

function removeAdded({ value, path, keys }: Known, changed: Changed[]): void {
  const now = ownKeys(value);
  for (let at = 0; at < now.length; at += 1) {
    const key = now[at] ?? "";
    if (isAmong(key, keys)) continue;
    changed[changed.length] = [path, key];
    deleteProperty(value, key);
  }
}

function isAmong(key: PropertyKey, keys: readonly PropertyKey[]): boolean {
  for (let at = 0; at < keys.length; at += 1) if (keys[at] === key) return true;
  return false;
}

/** Node makes many of its globals when they are first asked for: what was a getter may be a value by now. */
function judgeGlobal(
  key: PropertyKey,
  { was, is }: { was: PropertyDescriptor; is: PropertyDescriptor | undefined },
): string[] {
  if (is === undefined) return [String(key)];
  if (was.get !== undefined || Object.is(was.value, is.value) || key === "console" || key === "process") return [];
  return [String(key)];
}

/** Of Node's own objects the functions and accessors alone: other members are state. */
function judgeFunctions(path: string, { was, is }: { was: Shape; is: Shape }): string[] {
  return [...was].flatMap(([key, before]) => {
    const after = is.get(key);
    const isKept =
      before.get === undefined ? before.value === after?.value : before.get === after?.get || after?.get === undefined;
    const isWatched = typeof before.value === "function" || key === "stdout" || key === "stderr";
    return isWatched && !isKept ? [toPath(path, key)] : [];
  });
}

function isSame(was: PropertyDescriptor, is: PropertyDescriptor | undefined): boolean {
  return (
    is !== undefined &&
    isEqual(was.value, is.value) &&
    was.get === is.get &&
    was.set === is.set &&
    was.writable === is.writable &&
    was.configurable === is.configurable
  );
}

function shapeOf(value: object): Shape {
  return new Map(ownKeys(value).map((key) => [key, getOwnPropertyDescriptor(value, key) ?? {}]));
}

function toPath(path: string, key: PropertyKey): string {
  return typeof key === "symbol" ? `${path}[${String(key)}]` : `${path}.${String(key)}`;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
