/** One promise of the contract; `run` throws an assertion error when it is broken. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void>;
}
