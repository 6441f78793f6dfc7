/** What the project's policy keeps from the caller that was named. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The way to learn more. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
