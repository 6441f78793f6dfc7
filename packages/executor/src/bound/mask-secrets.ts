import type { JsonSchema } from "@aiw/core";

/** Fields whose text is a secret, by their name. */
const SECRET_NAME =
  /^(?:.*[_-])?(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|authorization|cookie)$/i;

/** Secrets inside of texts; each keeps what says which secret it was. Paths are left legible, and every pattern is linear. */
const SECRET_TEXTS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
    "[secret private key]",
  ],
  [/(?<![\w/.-])(?:sk-|rk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|npm_|AKIA|ASIA|AIza)[\w-]{16,}/g, "[secret]"],
  [/(?<![\w/.-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, "[secret]"],
  [/\b(Bearer|Basic)[ \t]{1,8}(?!\[secret)[\w.~+/=-]{8,}/gi, "$1 [secret]"],
  [/(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}@/g, "$1[secret]@"],
  [/\b(password|passwd|secret|token|api[_-]?key|access[_-]?key)(=)(?!\[secret)[^\s&"']+/gi, "$1$2[secret]"],
];

/** What a text needs to hold before the patterns are tried; most hold none of it. */
const SUSPICIOUS = /-----BEGIN|sk-|rk-|gh[pousr]_|github_pat_|glpat-|xox|npm_|AKIA|ASIA|AIza|eyJ|bearer|basic|:\/\/|=/i;

/** Copies a JSON value with secrets masked: by field, as schema and name tell, and by pattern; paths stay legible (SEC-LOG-2). */
export function maskSecrets(value: unknown, schema?: JsonSchema): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskSecrets(item, toSchema(schema?.items)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => {
      const memberSchema = toSchema(
        schema?.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined,
      );
      return [key, isSecretField(key, memberSchema) ? maskMember(member) : maskSecrets(member, memberSchema)];
    }),
  );
}

/** Masks what looks like a secret inside of a text. */
export function maskText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return SECRET_TEXTS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

function isSecretField(name: string, schema: JsonSchema | undefined): boolean {
  return schema?.["writeOnly"] === true || schema?.["format"] === "password" || SECRET_NAME.test(name);
}

/** Numbers and flags keep no secret worth hiding: `max_tokens` is none. */
function maskMember(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? "" : `[secret, ${value.length} characters]`;
  if (Array.isArray(value)) return value.map(maskMember);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) => [key, maskMember(member)]));
}

function toSchema(schema: JsonSchema | boolean | undefined): JsonSchema | undefined {
  return typeof schema === "object" ? schema : undefined;
}
