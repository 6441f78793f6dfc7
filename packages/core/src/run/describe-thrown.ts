/** Characters shown of what a tool threw. */
const MAX_LENGTH = 300;

/** Absolute paths of two or more segments: where the host keeps things is not the model's business (SEC-LOG-4). */
const ABSOLUTE_PATH = /(?<![\w.@-])(?:file:\/\/)?(?:[A-Za-z]:[/\\]|\/)(?:[^\s/\\'"`:]+[/\\])+([^\s/\\'"`:]+)/g;

/** Says in one line what was thrown, whatever it is; its stack and the host's folders stay out. */
export function describeThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `${typeof thrown} ${String(thrown)}`;
    return hidePlaces(text);
  } catch {
    return "something that cannot be described";
  }
}

/** Says a text in one bounded line, without the host's folders. */
export function hidePlaces(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(ABSOLUTE_PATH, "…/$1");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
