import { AiwError } from "@aiw/core";

/** Bytes of a key of AES-256, and of the vector that GCM wants fresh for every text. */
const KEY_BYTES = 32;
const VECTOR_BYTES = 12;

/** Characters of a sealed text that are worth opening. */
const MAX_SEALED = 64 * 1024 * 1024;

/** Bytes turned into characters at a time: arguments of one function are few. */
const SLICE = 0x80_00;

/** Seals texts with AES-256-GCM: what is sealed can be neither read nor changed without the key. */
export class TextSeal {
  readonly #key: Promise<Awaited<ReturnType<typeof crypto.subtle.importKey>>>;

  /** @throws AiwError `config_invalid` for a key of another length. */
  constructor(key: Uint8Array = crypto.getRandomValues(new Uint8Array(KEY_BYTES))) {
    if (!(key instanceof Uint8Array) || key.byteLength !== KEY_BYTES)
      throw new AiwError("config_invalid", `suspension.sealKey must be ${KEY_BYTES} bytes.`, {
        fix: "Make one with crypto.getRandomValues(new Uint8Array(32)), keep it secret, and give every process the same.",
      });
    this.#key = crypto.subtle.importKey("raw", new Uint8Array(key), "AES-GCM", false, ["encrypt", "decrypt"]);
    // Whoever seals first hears of a fault.
    this.#key.catch(() => undefined);
  }

  /** Seals a text; it opens only with the same words about what it is for. */
  async seal(text: string, purpose: string): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(VECTOR_BYTES));
    const sealed = await crypto.subtle.encrypt(
      toAlgorithm(iv, purpose),
      await this.#key,
      new TextEncoder().encode(text),
    );
    const bytes = new Uint8Array(VECTOR_BYTES + sealed.byteLength);
    bytes.set(iv);
    bytes.set(new Uint8Array(sealed), VECTOR_BYTES);
    return toBase64Url(bytes);
  }

  /** Opens a sealed text; undefined for anything else, one changed character included. */
  async open(sealed: unknown, purpose: string): Promise<string | undefined> {
    if (typeof sealed !== "string" || sealed.length > MAX_SEALED) return undefined;
    const bytes = fromBase64Url(sealed);
    if (bytes === undefined || bytes.length <= VECTOR_BYTES) return undefined;
    const iv = bytes.slice(0, VECTOR_BYTES);
    try {
      const text = await crypto.subtle.decrypt(toAlgorithm(iv, purpose), await this.#key, bytes.slice(VECTOR_BYTES));
      return new TextDecoder().decode(text);
    } catch {
      return undefined;
    }
  }
}

function toAlgorithm(iv: Uint8Array<ArrayBuffer>, purpose: string): Parameters<typeof crypto.subtle.encrypt>[0] {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(purpose) };
}

function toBase64Url(bytes: Uint8Array): string {
  let characters = "";
  for (let from = 0; from < bytes.length; from += SLICE)
    characters += String.fromCharCode(...bytes.subarray(from, from + SLICE));
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Undefined for what no bytes are written as: bits that mean nothing would make two texts of one. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
