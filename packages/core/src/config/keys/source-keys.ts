import { MAX_ENTRIES, type KeySchema } from "./key-schema.ts";
import { PACKAGE_KEY } from "./tools-keys.ts";

/** The key `plugins`. */
export const PLUGINS_KEY: KeySchema = {
  type: "object",
  description:
    'Options by package, checked by the package\'s own schema; a package named here counts as a dependency. `{ "$env": "NAME" }` is the value of an environment variable.',
  default: {},
  examples: [{ "@acme/tickets": { url: "https://tickets.test", token: { $env: "TICKETS_TOKEN" } } }],
  maxProperties: MAX_ENTRIES,
  propertyNames: PACKAGE_KEY,
  additionalProperties: { type: "object", "x-aiw-must": "be an object of options", additionalProperties: {} },
  "x-aiw-effect": "widens",
  "x-aiw-merge": "options",
};

/** The key `sources`. */
export const SOURCES_KEY: KeySchema = {
  type: "object",
  description: "Where tools come from beside installed packages.",
  additionalProperties: false,
  properties: {
    directories: {
      type: "array",
      description:
        "Folders of tools; relative ones start at the project. Trusting this names the folder; its code is trusted apart, by content.",
      default: [],
      examples: [["./tools"]],
      maxItems: 1000,
      items: {
        type: "string",
        minLength: 1,
        maxLength: 4096,
        pattern: "^[^\\u0000]*$",
        "x-aiw-must": "be the path of a folder",
      },
      "x-aiw-effect": "widens",
      "x-aiw-merge": "append",
    },
  },
};

/** The key `discovery`. */
export const DISCOVERY_KEY: KeySchema = {
  type: "object",
  description: "How tools are found.",
  additionalProperties: false,
  properties: {
    requireStatic: {
      type: "boolean",
      description:
        "Refuses declarations whose definitions only running code can tell. The strictest of option, `AIWHISPERER_REQUIRE_STATIC` and configuration wins.",
      default: false,
      examples: [true],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "strictest",
    },
    frozen: {
      type: "boolean",
      description:
        "Refuses to find tools unless all of them are as `aiw.lock` pins them. The strictest of option, `AIWHISPERER_FROZEN` and configuration wins.",
      default: false,
      examples: [true],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "strictest",
    },
    onDuplicate: {
      type: "string",
      enum: ["warn", "error"],
      description:
        "`warn` lets the first of two equal names win and reports it; `error` refuses until `tools.prefer` decides. While that preference waits for trust, the name belongs to nobody.",
      default: "warn",
      examples: ["error"],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "strictest",
    },
    cache: {
      type: "boolean",
      description: "Keeps what was read of installed packages for the next process.",
      default: false,
      examples: [true],
      "x-aiw-effect": "widens_unless_default",
      "x-aiw-merge": "replace",
    },
  },
};
