/** What is told of a time that is over. */
export interface Expiry {
  readonly timeoutMs: number;
  /** True when what ran let no timer have its turn until then. */
  readonly blocked: boolean;
}

type OnExpire<Owner> = (owner: Owner, expiry: Expiry) => void;

/**
 * A clock that can stand still: time counts only while nobody pauses it. Its timer is set when the call is about to wait:
 * before that no timer could run, and most calls never wait.
 */
export class CallClock<Owner> {
  readonly #owner: Owner;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onExpire: OnExpire<Owner> | undefined;
  #timeoutMs = 0;
  #remainingMs = 0;
  #countingSince = 0;
  #pauses = 0;
  /** False while nothing was waited for since counting began. */
  #waited = true;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Milliseconds left; none when nothing counts. */
  get remainingMs(): number {
    if (this.#onExpire === undefined) return 0;
    return this.#pauses > 0 ? this.#remainingMs : this.#remainingMs - (performance.now() - this.#countingSince);
  }

  /** Starts over with `timeoutMs`, counted from now; an earlier countdown is forgotten. */
  start(timeoutMs: number, onExpire: OnExpire<Owner>): void {
    this.stop();
    this.#timeoutMs = timeoutMs;
    this.#remainingMs = timeoutMs;
    this.#onExpire = onExpire;
    // Reading the time is not free: where nothing was waited for, hardly any has passed.
    if (this.#waited) this.#countingSince = performance.now();
    this.#waited = false;
  }

  /** Sets the timer, for a call that waits now. */
  arm(): void {
    if (this.#timer !== undefined || this.#onExpire === undefined || this.#pauses > 0) return;
    this.#waited = true;
    const spentMs = performance.now() - this.#countingSince;
    this.#timer = setTimeout(() => this.#expire(false), Math.max(0, this.#remainingMs - spentMs));
  }

  /** Expires now if the time is over: said when code has returned that let no timer have its turn. */
  catchUp(): void {
    if (this.remainingMs < 0) this.#expire(true);
  }

  /** Stands still until as many resumes as pauses. */
  pause(): void {
    this.#pauses += 1;
    this.#waited = true;
    if (this.#pauses > 1 || this.#onExpire === undefined) return;
    this.#clear();
    this.#remainingMs -= performance.now() - this.#countingSince;
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#countingSince = performance.now();
    this.arm();
  }

  stop(): void {
    this.#clear();
    this.#onExpire = undefined;
  }

  #expire(blocked: boolean): void {
    this.#clear();
    const expire = this.#onExpire;
    this.#onExpire = undefined;
    expire?.(this.#owner, { timeoutMs: this.#timeoutMs, blocked });
  }

  #clear(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
