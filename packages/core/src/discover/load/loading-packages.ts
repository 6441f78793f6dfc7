import type { LoadingListener } from "../../register/tool-project.ts";

/** Whose code is being loaded now. */
export class LoadingPackages {
  readonly #keys: string[] = [];
  readonly #listeners = new Set<LoadingListener>();

  /** Returns the function that ends it. */
  listen(listener: LoadingListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async during<Value>(packageKey: string, work: Promise<Value>): Promise<Value> {
    this.#keys.push(packageKey);
    this.#tell();
    try {
      return await work;
    } finally {
      this.#keys.splice(this.#keys.indexOf(packageKey), 1);
      this.#tell();
    }
  }

  #tell(): void {
    if (this.#listeners.size === 0) return;
    const packages = [...new Set(this.#keys)];
    for (const listener of this.#listeners) listener(packages);
  }
}
