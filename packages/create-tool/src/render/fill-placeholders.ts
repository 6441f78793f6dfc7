import { failure } from "../create-error.ts";

/** Values by the name of their placeholder. */
export type Placeholders = Readonly<Record<string, string>>;

/** `{{name}}`; GitHub's own `${{ name }}` is none. */
const PLACEHOLDER = /(?<!\$)\{\{(\w+)\}\}/g;

/**
 * Puts values into a template, in one pass: a value is never read as a template or as a pattern of a replacement.
 * @throws CreateError for a placeholder that has no value, which is a defect of the template.
 */
export function fillPlaceholders(template: string, values: Placeholders): string {
  return template.replaceAll(PLACEHOLDER, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw failure(`A template asks for ${name}, which nobody knows.`);
    return value;
  });
}
