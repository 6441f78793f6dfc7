import { ToolError } from "@aiw/core";
import type { HopRequest, WebTarget } from "@aiw/core/node";
import { expandValue, type ValueScope } from "../data/value-template.ts";
import { buildAddress, toPairs, toQuery } from "./build-address.ts";
import { expandBody } from "./body-template.ts";
import type { RequestTemplate } from "./compile-request.ts";

/** One request, ready to be sent. */
export interface BuiltRequest extends HopRequest {
  readonly target: WebTarget;
  /** What it tells the server that nobody else is told, by name. */
  readonly secrets: ReadonlyMap<string, string>;
}

// Bytes that are no line break, so that no argument adds a header.
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

const ACCEPT = {
  json: "application/json",
  text: "text/plain, */*;q=0.5",
  auto: "application/json, text/*;q=0.9, */*;q=0.5",
};

/**
 * Puts arguments, and the variables its spec may read, into a request.
 * @throws ToolError `invalid_input`, `invalid_url`, `not_configured`
 */
export function buildRequest(template: RequestTemplate, scope: ValueScope): BuiltRequest {
  const content = buildContent(template, scope);
  return {
    method: template.method,
    target: buildAddress(template.address, template.query, scope),
    headers: {
      accept: ACCEPT[template.response],
      "user-agent": "aiw (a tool call)",
      ...content.headers,
      ...buildHeaders(template, scope),
    },
    body: content.body,
    secrets: scope.secrets,
  };
}

function buildHeaders(template: RequestTemplate, scope: ValueScope): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of template.headers) {
    const text = expandValue(value, scope);
    if (text === undefined) continue;
    // A variable's value is not shown.
    if (!HEADER_VALUE.test(text))
      throw new ToolError(
        "invalid_input",
        `The header ${name} would have a line break, or other characters that headers cannot have.`,
      );
    headers[name] = text;
  }
  return headers;
}

function buildContent(
  { body, form }: RequestTemplate,
  scope: ValueScope,
): { readonly headers: Readonly<Record<string, string>>; readonly body?: Uint8Array } {
  if (form !== undefined) {
    const type = "application/x-www-form-urlencoded";
    return { headers: { "content-type": type }, body: encode(toQuery(toPairs(form, scope))) };
  }
  const json = body === undefined ? undefined : expandBody(body, scope);
  if (json === undefined) return { headers: {} };
  return { headers: { "content-type": "application/json" }, body: encode(JSON.stringify(json)) };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
