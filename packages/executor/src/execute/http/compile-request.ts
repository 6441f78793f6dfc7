import type { ToolSpec } from "@aiw/core";
import { invalidImplementation } from "../data/invalid-implementation.ts";
import { readImplementation, readMembers, readText, readWord, type Members } from "../data/read-implementation.ts";
import { parametersOf, placesOf } from "../data/text-template.ts";
import { placesOfValue, readValueTemplate, type ValueTemplate } from "../data/value-template.ts";
import { compileBody, placesOfBody, type BodyTemplate } from "./body-template.ts";
import { compileAddress, type AddressTemplate } from "./compile-address.ts";

type NamedValues = readonly (readonly [name: string, value: ValueTemplate])[];

/** What a spec of type `http` says, read once. */
export interface RequestTemplate {
  readonly method: string;
  readonly address: AddressTemplate;
  readonly query: NamedValues;
  readonly headers: NamedValues;
  readonly body: BodyTemplate | undefined;
  readonly form: NamedValues | undefined;
  readonly response: "auto" | "json" | "text";
  /** Bytes of the decoded answer; the executor's own limit unless named. */
  readonly maxBytes: number | undefined;
}

const MEMBERS = ["method", "url", "query", "headers", "body", "form", "response", "maxBytes"];
const WITH_BODY: readonly string[] = ["POST", "PUT", "PATCH", "DELETE"];
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

// The exchange writes these itself.
const OWN_HEADERS = new Set([
  ...["host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect"],
  ...["accept-encoding", "proxy-authorization", "proxy-connection", "proxy-authenticate"],
]);

/**
 * Reads the implementation of a spec. Arguments that have no place in it go into the query of a GET or DELETE, and as JSON into
 * the body of other methods, unless the spec says a body of its own.
 * @throws ToolError `implementation_invalid`
 */
export function compileRequest(spec: ToolSpec): RequestTemplate {
  const members = readImplementation(spec, MEMBERS);
  const method = readWord(members, "method", ["GET", "POST", "PUT", "PATCH", "DELETE"]);
  const url = readText(members, "url");
  if (url === undefined) throw invalidImplementation("url", "must be an address");
  const request: RequestTemplate = {
    method,
    address: compileAddress(url, spec),
    query: readNamed(members, "query", spec),
    headers: readHeaders(members, spec),
    body: members["body"] === undefined ? undefined : compileBody(members["body"], spec, "body"),
    form: members["form"] === undefined ? undefined : readNamed(members, "form", spec),
    response: readWord(members, "response", ["auto", "json", "text"]),
    maxBytes: readBytes(members["maxBytes"]),
  };
  if (request.body !== undefined && request.form !== undefined)
    throw invalidImplementation("form", "cannot stand beside a body");
  if ((request.body ?? request.form) !== undefined && !WITH_BODY.includes(method)) {
    throw invalidImplementation("method", `must be one of ${WITH_BODY.join(", ")} to have a body`);
  }
  return placeRest(request, spec);
}

/** What the model may say must go somewhere. */
function placeRest(request: RequestTemplate, spec: ToolSpec): RequestTemplate {
  const { address, query, headers, body, form } = request;
  const values = [...query, ...headers, ...(form ?? [])];
  const placed = new Set([
    ...placesOf([...address.path, ...address.query.flatMap(([, value]) => value)]),
    ...values.flatMap(([, value]) => placesOfValue(value)),
    ...(body === undefined ? [] : placesOfBody(body)),
  ]);
  const rest = [...parametersOf(spec)].filter((name) => !placed.has(name));
  if (rest.length === 0) return request;
  if ((body ?? form) !== undefined) throw invalidImplementation("", `has no place for ${rest.slice(0, 5).join(", ")}`);
  if (request.method === "GET" || request.method === "DELETE") {
    return {
      ...request,
      query: [...query, ...rest.map((name) => [name, [{ parameter: name, spread: false }]] as const)],
    };
  }
  const all = rest.map((name) => [name, { kind: "argument", parameter: name }] as const);
  return { ...request, body: { kind: "object", members: all } };
}

function readNamed(members: Members, name: string, spec: ToolSpec): NamedValues {
  return Object.entries(readMembers(members, name)).map(
    ([key, value]) => [key, readValueTemplate(value, spec, `${name}.${key}`)] as const,
  );
}

function readHeaders(members: Members, spec: ToolSpec): NamedValues {
  return readNamed(members, "headers", spec).map(([name, value]) => {
    const lower = name.toLowerCase();
    if (HEADER_NAME.test(name) && !OWN_HEADERS.has(lower)) return [lower, value] as const;
    throw invalidImplementation(`headers.${name.slice(0, 60)}`, "is no header that a spec may set");
  });
}

function readBytes(value: unknown): number | undefined {
  if (value === undefined || (typeof value === "number" && Number.isInteger(value) && value > 0)) return value;
  throw invalidImplementation("maxBytes", "must be a whole number above 0");
}
