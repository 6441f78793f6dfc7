/** Texts of the formats that JSON Schema names. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["date", "2026-01-31"],
  ["time", "12:00:00Z"],
  ["date-time", "2026-01-31T12:00:00Z"],
  ["iso-time", "12:00:00"],
  ["iso-date-time", "2026-01-31T12:00:00"],
  ["duration", "PT1H"],
  ["email", "user@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com/"],
  ["url", "https://example.com/"],
  ["uri-reference", "/path"],
  ["uri-template", "/{id}"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
  ["json-pointer", "/a"],
  ["relative-json-pointer", "0/a"],
  ["json-pointer-uri-fragment", "#/a"],
  ["regex", "^a"],
  ["byte", "YQ=="],
]);

const MAX_REPEATS = 1000;

/** What a text sample has to obey. */
export interface TextRules {
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Makes a text that follows the rules, as far as they can be followed without trying. */
export function sampleText({
  pattern,
  format,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: TextRules): string {
  const known = format === undefined ? undefined : FORMATS.get(format);
  if (known !== undefined) return known;
  const matching = pattern === undefined ? undefined : samplePattern(pattern, Math.min(minLength, MAX_REPEATS));
  if (matching !== undefined) return matching;
  return "text".padEnd(Math.min(minLength, MAX_REPEATS), "text").slice(0, maxLength);
}

/** Makes a short text that an ECMAScript pattern matches; undefined for what needs trying. */
export function samplePattern(pattern: string, minLength = 0): string | undefined {
  const shortest = new PatternSampler(pattern, 1).sample();
  if (shortest === undefined || shortest.length >= minLength) return shortest;
  return new PatternSampler(pattern, minLength).sample();
}

/** One letter of each escape that stands for a class. */
const CLASS_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["d", "1"],
  ["D", "a"],
  ["w", "a"],
  ["W", "-"],
  ["s", " "],
  ["S", "a"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["f", "\f"],
  ["v", "\v"],
  ["b", ""],
  ["B", ""],
]);

/** Letters to try for a class that names what it does not admit. */
const ANY_LETTERS = "a1A -_.!";

class PatternSampler {
  readonly #pattern: string;
  readonly #repeats: number;
  #at = 0;
  #failed = false;

  constructor(pattern: string, repeats: number) {
    this.#pattern = pattern;
    this.#repeats = repeats;
  }

  sample(): string | undefined {
    const text = this.#alternatives(0);
    return this.#failed || this.#at < this.#pattern.length ? undefined : text;
  }

  #alternatives(level: number): string {
    const first = this.#sequence(level);
    while (this.#take("|")) this.#sequence(level);
    return first;
  }

  #sequence(level: number): string {
    let text = "";
    while (this.#at < this.#pattern.length && !this.#failed && !"|)".includes(this.#next())) {
      const atom = this.#atom(level);
      text += atom.repeat(this.#quantity());
      if (text.length > MAX_REPEATS) this.#failed = true;
    }
    return text;
  }

  #atom(level: number): string {
    if (level > 20) this.#failed = true;
    if (this.#failed || this.#take("^") || this.#take("$")) return "";
    if (this.#take("(")) return this.#group(level);
    if (this.#take("[")) return this.#class();
    if (this.#take("\\")) return this.#escape();
    if (this.#take(".")) return "a";
    return this.#step();
  }

  #group(level: number): string {
    const opening = /^\?(?:[:]|<[A-Za-z_]\w*>)/.exec(this.#rest());
    if (opening !== null) this.#at += opening[0].length;
    else if (this.#next() === "?") this.#failed = true;
    const text = this.#failed ? "" : this.#alternatives(level + 1);
    if (!this.#take(")")) this.#failed = true;
    return text;
  }

  #class(): string {
    const negated = this.#take("^");
    const start = this.#at;
    let first: string | undefined;
    while (this.#at < this.#pattern.length && this.#next() !== "]") {
      const letter = this.#take("\\") ? this.#escape() : this.#step();
      first ??= letter;
    }
    const source = this.#pattern.slice(start, this.#at);
    if (!this.#take("]")) this.#failed = true;
    return negated ? this.#outside(source) : (first ?? this.#fail());
  }

  /** A class is one letter wide, so asking the built-in engine about single letters costs nothing. */
  #outside(source: string): string {
    try {
      const admitted = new RegExp(`[^${source}]`, "u");
      return [...ANY_LETTERS].find((letter) => admitted.test(letter)) ?? this.#fail();
    } catch {
      return this.#fail();
    }
  }

  #escape(): string {
    const code = /^(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(this.#rest());
    if (code !== null) {
      this.#at += code[0].length;
      return String.fromCodePoint(Math.min(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16), 0x10ffff));
    }
    const property = /^p\{(L|Ll|Letter|N|Nd|Lu)\}/.exec(this.#rest());
    if (property !== null) {
      this.#at += property[0].length;
      return property[1]?.startsWith("N") === true ? "1" : property[1] === "Lu" ? "A" : "a";
    }
    const letter = this.#step();
    if (/[pPkcu1-9]/.test(letter)) this.#failed = true;
    return CLASS_ESCAPES.get(letter) ?? letter;
  }

  #quantity(): number {
    const braces = /^\{(\d+)(,(\d*))?\}/.exec(this.#rest());
    let least = 1;
    let most = 1;
    if (braces !== null) {
      this.#at += braces[0].length;
      least = Number(braces[1]);
      most = braces[2] === undefined ? least : braces[3] ? Number(braces[3]) : Number.POSITIVE_INFINITY;
    } else if (this.#take("*")) [least, most] = [0, Number.POSITIVE_INFINITY];
    else if (this.#take("+")) most = Number.POSITIVE_INFINITY;
    else if (this.#take("?")) least = 0;
    else return 1;
    this.#take("?");
    if (least > MAX_REPEATS) this.#failed = true;
    return Math.min(Math.max(least, Math.min(most, this.#repeats)), MAX_REPEATS);
  }

  #next(): string {
    return this.#pattern[this.#at] ?? "";
  }

  #rest(): string {
    return this.#pattern.slice(this.#at, this.#at + 64);
  }

  #step(): string {
    const letter = this.#next();
    this.#at += 1;
    return letter;
  }

  #take(letter: string): boolean {
    if (this.#next() !== letter) return false;
    this.#at += 1;
    return true;
  }

  #fail(): string {
    this.#failed = true;
    return "";
  }
}
