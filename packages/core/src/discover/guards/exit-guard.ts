import { writeSync } from "node:fs";

/** Says that discovery could not go on: the exit code of a configuration or discovery problem. */
const EXIT_CODE = 4;

/** While it is held, a process that ends names the package that was loading, and never ends with success. */
export function holdExit(packageKey: string, module: string): Disposable {
  const onExit = (code: number): void => {
    writeSync(
      2,
      `aiw: load_exited: ${packageKey} ended the process while ${module} was loading. Fix: remove ${packageKey}, or ask its author.\n`,
    );
    if (code === 0) process.exitCode = EXIT_CODE;
  };
  process.once("exit", onExit);
  return { [Symbol.dispose]: () => void process.off("exit", onExit) };
}
