/** A clock that can stand still: time counts only while nobody pauses it. */
export class CallClock {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onExpire: (() => void) | undefined;
  #remainingMs = 0;
  #runningSince = 0;
  #pauses = 0;

  /** Starts over with `timeoutMs`; an earlier countdown is forgotten. */
  start(timeoutMs: number, onExpire: () => void): void {
    this.stop();
    this.#remainingMs = timeoutMs;
    this.#onExpire = onExpire;
    if (this.#pauses === 0) this.#run();
  }

  /** Stands still until as many resumes as pauses. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#timer === undefined) return;
    this.#clear();
    this.#remainingMs -= performance.now() - this.#runningSince;
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && this.#onExpire !== undefined) this.#run();
  }

  stop(): void {
    this.#clear();
    this.#onExpire = undefined;
  }

  #run(): void {
    this.#runningSince = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const expire = this.#onExpire;
        this.#onExpire = undefined;
        expire?.();
      },
      Math.max(0, this.#remainingMs),
    );
  }

  #clear(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
