import { MAX_ENTRIES, type KeySchema } from "./key-schema.ts";
import { PACKAGE_KEY } from "./tools-keys.ts";

const HOST: KeySchema = {
  type: "string",
  minLength: 1,
  maxLength: 300,
  pattern:
    "^(\\*\\.)?(\\[[0-9A-Fa-f:.]+\\]|[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*|[^\\s/\\\\?#@:*\\[\\]]+)(:[1-9][0-9]{0,4})?$",
  "x-aiw-must": "be host, host:port, *.host or [IPv6]:port",
};

const VARIABLE: KeySchema = {
  type: "string",
  maxLength: 300,
  pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
  "x-aiw-must": "be the name of an environment variable",
};

function list(
  items: KeySchema,
  {
    effect,
    merge,
    ...described
  }: { effect: "narrows" | "widens"; merge: "union" | "replace"; description: string; examples: readonly unknown[] },
): KeySchema {
  return { type: "array", maxItems: MAX_ENTRIES, items, ...described, "x-aiw-effect": effect, "x-aiw-merge": merge };
}

const HTTP: KeySchema = {
  type: "object",
  description: "What tools of type `http` may reach.",
  additionalProperties: false,
  properties: {
    allowPrivate: list(HOST, {
      description:
        "Targets that may be reached although they are not public: `host`, `host:port`, `*.host`, an address.",
      examples: [["127.0.0.1:8080"]],
      effect: "widens",
      merge: "union",
    }),
    allowedHosts: list(HOST, {
      description: "When present, only these hosts are reached; an empty list reaches none.",
      examples: [["*.example.com"]],
      effect: "narrows",
      merge: "replace",
    }),
    blockedHosts: list(HOST, {
      description: "Hosts that are never reached.",
      examples: [["*.example.com"]],
      effect: "narrows",
      merge: "union",
    }),
    maxBytes: {
      type: "integer",
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Bytes of a decoded answer, whatever a spec says.",
      default: 5 * 1024 * 1024,
      "x-aiw-effect": "widens_above_default",
      "x-aiw-merge": "replace",
    },
  },
};

/** The key `executors`. */
export const EXECUTORS_KEY: KeySchema = {
  type: "object",
  description: "What tools that are only a spec are granted.",
  additionalProperties: false,
  properties: {
    http: HTTP,
    shell: {
      type: "object",
      description: "What tools of type `shell` are given of the host.",
      additionalProperties: false,
      properties: {
        env: list(VARIABLE, {
          description: "Variables of the host that commands get beside the usual ones (`PATH`, `HOME`, `LANG` …).",
          examples: [["GIT_SSH_COMMAND"]],
          effect: "widens",
          merge: "union",
        }),
      },
    },
    secrets: {
      type: "object",
      description:
        'Variables of the host that specs of a package may refer to by `{ "$env": "NAME" }`, by package key.',
      examples: [{ "@acme/weather": ["WEATHER_KEY"] }],
      maxProperties: MAX_ENTRIES,
      propertyNames: PACKAGE_KEY,
      additionalProperties: {
        type: "array",
        maxItems: MAX_ENTRIES,
        items: VARIABLE,
        "x-aiw-must": "be a list of names",
      },
      "x-aiw-effect": "widens",
      "x-aiw-merge": "members",
    },
  },
};
