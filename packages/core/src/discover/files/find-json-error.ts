/** The first place at which a text is not JSON, and what could stand there. */
export interface JsonError {
  readonly offset: number;
  readonly expected: string;
}

type Expectation = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end";

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Control characters below it must be escaped; it also excludes the NaN after the end. */
const FIRST_LEGAL = 0x20;

const WORDS: Readonly<Record<Expectation, string>> = {
  value: "a value",
  "value or ]": 'a value or "]"',
  key: "a quoted key",
  "key or }": 'a quoted key or "}"',
  colon: '":"',
  "comma or end": '"," or the closing bracket',
};

/** Finds the first error of a text; undefined means that it is JSON. Keeps its own stack, so depth cannot end the process. */
export function findJsonError(text: string): JsonError | undefined {
  const scan = new JsonScan(text);
  while (!scan.isDone) {
    const error = scan.step();
    if (error !== undefined) return error;
  }
  return undefined;
}

class JsonScan {
  readonly #text: string;
  readonly #open: ("{" | "[")[] = [];
  #at = 0;
  #expected: Expectation = "value";
  #done = false;
  #broken: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#done;
  }

  step(): JsonError | undefined {
    this.#match(SPACE);
    const character = this.#text[this.#at];
    if (this.#open.length === 0 && this.#expected === "comma or end") {
      this.#done = true;
      return character === undefined ? undefined : { offset: this.#at, expected: "the end" };
    }
    const isRead = character !== undefined && this.#read(character);
    return isRead ? undefined : this.#errorHere();
  }

  #read(character: string): boolean {
    switch (this.#expected) {
      case "colon":
        return character === ":" && this.#take("value");
      case "comma or end":
        if (character === ",") return this.#take(this.#open.at(-1) === "{" ? "key" : "value");
        return this.#close(character);
      case "key or }":
        return character === "}" ? this.#close(character) : this.#readString("colon");
      case "key":
        return this.#readString("colon");
      case "value or ]":
        return character === "]" ? this.#close(character) : this.#readValue(character);
      case "value":
        return this.#readValue(character);
    }
  }

  #readValue(character: string): boolean {
    if (character === "{" || character === "[") {
      this.#open.push(character);
      return this.#take(character === "{" ? "key or }" : "value or ]");
    }
    if (character === '"') return this.#readString("comma or end");
    return this.#readToken(/[-\d]/.test(character) ? NUMBER : WORD, "comma or end");
  }

  #close(character: string): boolean {
    const opening = this.#open.at(-1);
    if (!(opening === "{" && character === "}") && !(opening === "[" && character === "]")) return false;
    this.#open.pop();
    return this.#take("comma or end");
  }

  #take(next: Expectation): true {
    this.#at += 1;
    this.#expected = next;
    return true;
  }

  #readToken(token: RegExp, next: Expectation): boolean {
    if (!this.#match(token)) return false;
    this.#expected = next;
    return true;
  }

  #match(token: RegExp): boolean {
    token.lastIndex = this.#at;
    if (!token.test(this.#text)) return false;
    this.#at = token.lastIndex;
    return true;
  }

  /** Without a regular expression: its stack would limit the length. A broken string is wrong where it stops being one. */
  #readString(next: Expectation): boolean {
    if (this.#text[this.#at] !== '"') return false;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) return this.#take(next);
      if (code === BACKSLASH ? !this.#match(ESCAPE) : !(code >= FIRST_LEGAL)) {
        this.#broken = code === BACKSLASH ? "a legal escape" : "the end of the string";
        return false;
      }
      if (code !== BACKSLASH) this.#at += 1;
    }
  }

  #errorHere(): JsonError {
    return { offset: this.#at, expected: this.#broken ?? WORDS[this.#expected] };
  }
}
