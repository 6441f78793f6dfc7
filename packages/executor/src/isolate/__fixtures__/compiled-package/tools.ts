export function plan(at: Date, ...others: string[]): { at: Date; isDate: boolean; others: string[] } {
  return { at, isDate: at instanceof Date, others };
}

export class Counter {
  #count = 0;

  async count({ by = 1 }: { by?: number }): Promise<number> {
    this.#count += by;
    return this.#count;
  }

  async *stream(_input: object, context: { callId: string }): AsyncGenerator<string, string> {
    yield "one";
    yield "two";
    return typeof context.callId;
  }

  static async named(): Promise<string> {
    return this.name;
  }
}

export class Broken {
  constructor() {
    throw new Error("no database");
  }

  async run(): Promise<void> {}
}
