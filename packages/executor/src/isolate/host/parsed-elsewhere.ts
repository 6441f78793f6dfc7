/** Checked arguments whose parsed form is in the process. Known by its class: arguments that look like one are arguments. */
export class ParsedElsewhere {
  readonly input: unknown;
  readonly token: number;

  constructor(input: unknown, token: number) {
    this.input = input;
    this.token = token;
  }
}
