/** Turns one stream's bytes into the text a person would have seen on a terminal, line by line. */
export interface OutputFilter {
  /** Gives the lines completed by these bytes; the unfinished one is held back. */
  push(bytes: Uint8Array): string;
  /** Gives what was held back. */
  end(): string;
}

type State = "text" | "escape" | "csi" | "string" | "string_escape";

/** An unfinished line longer than this is given up in parts. */
const MAX_LINE = 65_536;
/** A control string (window title, link) longer than this is taken for text again. */
const MAX_CONTROL_STRING = 4_096;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Makes a stateful filter: UTF-8 across chunks, terminal sequences removed, `\r` lines collapsed to their last state. */
export function createOutputFilter(): OutputFilter {
  const decoder = new TextDecoder("utf-8");
  const terminal = createTerminalLine();
  return {
    push: (bytes) => terminal.write(decoder.decode(bytes, { stream: true })),
    end: () => terminal.write(decoder.decode()) + terminal.flush(),
  };
}

function createTerminalLine() {
  let state: State = "text";
  let controlLength = 0;
  const line = createLine();
  let returned = false;
  let out = "";

  function write(text: string): string {
    out = "";
    if (state === "text" && !returned && !CONTROLS.test(text)) writePlain(text);
    else for (const character of text) step(character);
    if (line.length() > MAX_LINE) out += flush();
    return out;
  }

  function writePlain(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) out = line.take() + text.slice(0, end);
    line.append(text.slice(end));
  }

  function step(character: string): void {
    if (state === "text") return stepText(character);
    if (state === "escape") return stepEscape(character);
    controlLength += 1;
    if (controlLength > MAX_CONTROL_STRING) state = "text";
    else if (state === "csi") stepCsi(character);
    else state = afterStringCharacter(state, character);
  }

  function stepText(character: string): void {
    if (character === "\n") {
      out += `${line.take()}\n`;
      returned = false;
    } else if (character === "\r") returned = true;
    else if (character === "\b") line.eraseLast();
    else if (character === "\u001b") state = "escape";
    else if (character === "\u009b") beginControl("csi");
    else if (character === "\t" || !CONTROLS.test(character)) stepPrintable(character);
  }

  function stepPrintable(character: string): void {
    if (returned) line.take();
    line.append(character);
    returned = false;
  }

  function stepEscape(character: string): void {
    if (character === "[") return beginControl("csi");
    if ("]PX^_".includes(character)) return beginControl("string");
    // Intermediates (charset selection) wait for their final character.
    if (character >= " " && character <= "/") return;
    state = "text";
  }

  function stepCsi(character: string): void {
    if (character < "@" || character > "~") return;
    state = "text";
    if (character === "K" && returned) line.take();
  }

  function beginControl(next: State): void {
    state = next;
    controlLength = 0;
  }

  function flush(): string {
    returned = false;
    return line.take();
  }

  return { write, flush };
}

/** A line in pieces: taking single characters off the end of one long string would copy it each time. */
function createLine() {
  let pieces: string[] = [];
  let length = 0;

  function append(text: string): void {
    if (text === "") return;
    pieces.push(text);
    length += text.length;
  }

  function take(): string {
    const line = pieces.join("");
    pieces = [];
    length = 0;
    return line;
  }

  function eraseLast(): void {
    const last = pieces.pop();
    if (last === undefined) return;
    const kept = last.slice(0, /[\ud800-\udbff][\udc00-\udfff]$/.test(last.slice(-2)) ? -2 : -1);
    if (kept !== "") pieces.push(kept);
    length += kept.length - last.length;
  }

  return { append, take, eraseLast, length: () => length };
}

/** A control string ends with BEL, ST, or ESC and a backslash. */
function afterStringCharacter(state: State, character: string): State {
  if (character === "\u0007" || character === "\u009c") return "text";
  if (state === "string_escape") return character === "\\" ? "text" : "string";
  return character === "\u001b" ? "string_escape" : state;
}
