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

interface Known {
  readonly path: string;
  readonly shape: Shape;
  readonly parent: object | null;
}

/** What globals were at one moment. */
export interface GlobalsSnapshot {
  readonly intrinsics: ReadonlyMap<object, Known>;
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
    const parent = Object.getPrototypeOf(value) as object | null;
    intrinsics.set(value, { path, shape, parent });
    for (const [key, { value: member, get, set }] of shape) {
      const at = toPath(path, key);
      queue.push([at, member], [at, get], [at, set]);
    }
    queue.push([`the prototype of ${path}`, parent]);
  }
  return {
    intrinsics,
    globals: shapeOf(globalThis),
    process: shapeOf(process),
    console: shapeOf(console),
  };
}

/** Names what is not as it was. */
export function compareGlobals(before: GlobalsSnapshot): GlobalsDifference {
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
      ...[...before.intrinsics].flatMap(([value, known]) => compareOne(value, known)),
      ...changedGlobals,
      ...changedProcess.filter((path) => !isStream(path)),
    ],
    globals: added.map(String),
    redirected: [...redirected, ...changedConsole, ...changedProcess.filter(isStream)],
  };
}

function compareOne(value: object, { path, shape, parent }: Known): string[] {
  const now = shapeOf(value);
  const changed = [...shape].flatMap(([key, was]) => (isSame(was, now.get(key)) ? [] : [toPath(path, key)]));
  const added = [...now.keys()].filter((key) => !shape.has(key)).map((key) => toPath(path, key));
  const moved = Object.getPrototypeOf(value) === parent ? [] : [`the prototype of ${path}`];
  return [...changed, ...added.filter((name) => !STANDARD.has(name)), ...moved];
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
    Object.is(was.value, is.value) &&
    was.get === is.get &&
    was.set === is.set &&
    was.writable === is.writable &&
    was.configurable === is.configurable
  );
}

function shapeOf(value: object): Shape {
  return new Map(Reflect.ownKeys(value).map((key) => [key, Reflect.getOwnPropertyDescriptor(value, key) ?? {}]));
}

function toPath(path: string, key: PropertyKey): string {
  return typeof key === "symbol" ? `${path}[${String(key)}]` : `${path}.${String(key)}`;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
