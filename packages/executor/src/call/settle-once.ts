/** A promise that its first settlement decides; later ones are told so and change nothing. */
export class SettleOnce<Value> {
  readonly promise: Promise<Value>;
  readonly #resolve: (value: Value) => void;
  #settled = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Value>();
    this.promise = promise;
    this.#resolve = resolve;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Claims the settlement; only the first claim gets the function that resolves the promise. */
  claim(): ((value: Value) => void) | undefined {
    if (this.#settled) return undefined;
    this.#settled = true;
    return this.#resolve;
  }
}
