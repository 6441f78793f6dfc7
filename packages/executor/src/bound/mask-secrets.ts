import { cursorAt, descend, isSecret, type JsonSchema, type SchemaCursor } from "@aiw/core";

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
  [/\b(password|passwd|secret|token|api[_-]?key|access[_-]?key)(=)(?!\[secret|<\w)[^\s&"']+/gi, "$1$2[secret]"],
];

/** What a text needs to hold before the patterns are tried; most hold none of it. */
const SUSPICIOUS = /-----BEGIN|sk-|rk-|gh[pousr]_|github_pat_|glpat-|xox|npm_|AKIA|ASIA|AIza|eyJ|bearer|basic|:\/\/|=/i;

/** What the JSON of a value needs to hold before one of its fields can be a secret by its name. */
const SUSPICIOUS_NAME = /pass(?:word|wd|phrase)|secret|token|key|credential|authorization|cookie/i;

/** Schemas that mark a secret anywhere; most do not, and need not be followed. */
const marking = new WeakMap<JsonSchema, boolean>();

/** Copies a JSON value with secrets masked: by field, as schema and name tell, and by pattern; paths stay legible (SEC-LOG-2). */
export function maskSecrets(value: unknown, schema?: JsonSchema): unknown {
  return mask(value, schema !== undefined && marksSecrets(schema) ? cursorAt(schema) : undefined);
}

/** Values looked at for names of secrets; arguments within bounds have no more. */
const MAX_VISITS = 10_000;

/** Characters a secret has at least for its every occurrence to be masked; shorter ones are parts of words. */
export const MIN_SECRET_LENGTH = 4;

/** Fields that hold secrets by their name, and the texts in them. */
export interface NamedSecrets {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/** Finds the secrets that names tell, at every depth of the values. */
export function findSecrets(...values: readonly unknown[]): NamedSecrets {
  const names = new Set<string>();
  const texts = new Set<string>();
  const pending = values.map((value) => ({ value, secret: false }));
  for (let visits = 0; visits < MAX_VISITS; visits += 1) {
    const next = pending.pop();
    if (next === undefined) break;
    const { value, secret } = next;
    if (secret && typeof value === "string" && value.length >= MIN_SECRET_LENGTH) texts.add(value);
    if (typeof value !== "object" || value === null) continue;
    const list = Array.isArray(value);
    for (const [key, member] of Object.entries(list ? value.slice(0, MAX_VISITS) : value)) {
      const named = !list && SECRET_NAME.test(key);
      if (named) names.add(key);
      pending.push({ value: member as unknown, secret: secret || named });
    }
  }
  return { names: [...names], texts: [...texts] };
}

/** Masks known secrets wherever a text repeats them, and what looks like one (SEC-LOG-2). */
export function maskKnown(text: string, { texts }: NamedSecrets): string {
  if (texts.length === 0) return maskText(text);
  const longestFirst = texts.toSorted((a, b) => b.length - a.length);
  const masked = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
  return maskText(masked);
}

/** False for the JSON of a value in which neither a name nor a pattern tells of a secret. */
export function mayHoldSecrets(json: string): boolean {
  return SUSPICIOUS.test(json) || SUSPICIOUS_NAME.test(json);
}

/** Masks what looks like a secret inside of a text. */
export function maskText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return SECRET_TEXTS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

function mask(value: unknown, place: SchemaCursor | undefined): unknown {
  if (place !== undefined && isSecret(place)) return maskMember(value);
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => mask(item, place && descend(place, index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      SECRET_NAME.test(key) ? maskMember(member) : mask(member, place && descend(place, key)),
    ]),
  );
}

/** True for a schema that marks a secret anywhere. */
export function marksSecrets(schema: JsonSchema): boolean {
  const known = marking.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  const marks = text.includes('"writeOnly"') || text.includes('"password"');
  marking.set(schema, marks);
  return marks;
}

/** Numbers and flags keep no secret worth hiding: `max_tokens` is none. */
function maskMember(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? "" : `[secret, ${value.length} characters]`;
  if (Array.isArray(value)) return value.map(maskMember);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) => [key, maskMember(member)]));
}
