import { ts } from "@ts-morph/common";

const INSTEAD_BYTES = "write string, and take base64 (say so in the description)";
const INSTEAD_STREAM = "write string or T[]: a call has one input and one output";
const INSTEAD_RESULT = "await it in the function";

/** Types of the language and its platforms that JSON has no value for, and what to write instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["Map", "write Record<string, T>"],
  ["ReadonlyMap", "write Record<string, T>"],
  ["WeakMap", "write Record<string, T>"],
  ["Set", "write T[] with @uniqueItems"],
  ["ReadonlySet", "write T[] with @uniqueItems"],
  ["WeakSet", "write T[]"],
  ["WeakRef", "write the type of what it refers to"],
  ["URL", "write string with @format uri"],
  ["URLSearchParams", "write Record<string, string>"],
  ["RegExp", "write string with @format regex"],
  ["Error", "write { code: string; message: string }"],
  ["Promise", INSTEAD_RESULT],
  ["PromiseLike", INSTEAD_RESULT],
  ["String", "write string, in lower case"],
  ["Number", "write number, in lower case"],
  ["Boolean", "write boolean, in lower case"],
  ["Symbol", "write string"],
  ["BigInt", "write string with @pattern ^-?[0-9]+$, or number"],
  ["Object", "write an interface, or Record<string, T>"],
  ["Function", "write data: a model cannot write code that the host runs"],
  ["ArrayBuffer", INSTEAD_BYTES],
  ["SharedArrayBuffer", INSTEAD_BYTES],
  ["DataView", INSTEAD_BYTES],
  ["Buffer", INSTEAD_BYTES],
  ["Blob", INSTEAD_BYTES],
  ["File", "write string, and take the path of the file"],
  ["FormData", "write an interface, or Record<string, string>"],
  ["Headers", "write Record<string, string>"],
  ["Request", "write string with @format uri, and fetch it in the function"],
  ["Response", "write an interface of what the body holds"],
  ["ReadableStream", INSTEAD_STREAM],
  ["WritableStream", INSTEAD_STREAM],
  ["Iterable", "write T[]"],
  ["AsyncIterable", "write T[]"],
  ["Iterator", "write T[]"],
  ["AsyncIterator", "write T[]"],
  ["Generator", "write T[]"],
  ["AsyncGenerator", "write T[]"],
  ["AbortSignal", "leave it out, and take ToolContext as last parameter: its signal aborts"],
  ["AbortController", "leave it out, and take ToolContext as last parameter: its signal aborts"],
  ["Temporal.Instant", "write Date, or string with @format date-time"],
  ["NodeJS.ProcessEnv", "write Record<string, string>"],
]);

/** Where TypeScript and Node declare what every program has. */
const PLATFORM_FILE = /(?:^|\/)(?:lib\.[\w.]+\.d\.ts$|@types\/node\/|undici-types\/|@typescript\/lib-)/;

/** True for what the language or Node declares, its aliases and helpers included. */
export function isPlatformDeclared({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => PLATFORM_FILE.test(declaration.getSourceFile().fileName));
}

/** True for a class or interface of the language or of Node. */
export function isPlatformSymbol(symbol: ts.Symbol): boolean {
  return (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0 && isPlatformDeclared(symbol);
}

/** The `Date` of the language. */
export function isDate({ symbol }: ts.Type): boolean {
  return symbol?.name === "Date" && isPlatformSymbol(symbol);
}

/** What to write instead of an instance of the platform; undefined for what is plain data. */
export function insteadOf(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const { symbol } = type;
  if (symbol === undefined || !isPlatformSymbol(symbol)) return undefined;
  const known = INSTEAD.get(symbol.name);
  if (known !== undefined) return known;
  if (symbol.name.endsWith("Array")) return INSTEAD_BYTES;
  if (symbol.name.endsWith("Error")) return INSTEAD.get("Error");
  if (/(?:Readable|Writable|Duplex|Transform|Stream)$/.test(symbol.name)) return INSTEAD_STREAM;
  if (checker.getPropertiesOfType(type).every((member) => isPlainMember(member, checker))) return undefined;
  return "write an interface of the data that the function needs of it";
}

function isPlainMember(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) return false;
  return checker.getSignaturesOfType(checker.getTypeOfSymbol(member), ts.SignatureKind.Call).length === 0;
}
