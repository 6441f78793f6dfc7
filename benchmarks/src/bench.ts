/** One thing that is measured: a fresh Node process, told apart from its rivals by what it runs. */
export interface Contender {
  readonly name: string;
  /** Arguments of Node: a script and what it is given. */
  readonly args: readonly string[];
  /** The benchmarks' folder unless named. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Says what is wrong with a run's standard output; undefined when it is the right answer. Asked before anything is timed. */
  readonly verify: (output: string) => string | undefined;
}

/** Contenders with equal work; their runs alternate, so that the machine's moods meet all of them. */
export interface Bench {
  readonly title: string;
  /** `process`: a run's wall time, start and end of Node included; `reported`: the times that its last line reports. */
  readonly measure: "process" | "reported";
  /** What the reported numbers are; milliseconds unless named. */
  readonly unit?: "ms" | "MiB";
  /** The contender whose time is 1.00 in the table. */
  readonly base: string;
  readonly contenders: readonly Contender[];
  /** Fresh processes per contender. */
  readonly rounds: number;
  readonly budgets?: readonly Budget[];
}

/** What must hold between contenders of one bench. */
export interface Budget {
  readonly claim: string;
  /** Computes what is judged from the contenders' 10th percentiles, by name. */
  readonly ratio: (p10: (contender: string) => number) => number;
  /** The largest ratio that is accepted. */
  readonly atMost: number;
}

/** What a suite is made for. */
export interface SuiteOptions {
  /** Fewer sizes and rounds: shows that everything runs, not how fast. */
  readonly quick: boolean;
  /** A folder for generated files, removed after the suite. */
  readonly scratch: string;
}

/** The benches of one folder; `benchmarks/<name>/suite.ts` exports it as `suite`. */
export interface Suite {
  readonly summary: string;
  /** Makes the benches one after the other, so that one's files need not outlive it. */
  readonly create: (options: SuiteOptions) => AsyncIterable<Bench>;
}
