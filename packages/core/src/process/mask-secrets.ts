import type { ProcessEnvironment } from "./build-environment.ts";

const SECRET_NAME = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_KEY$|_AUTH$/i;
/** Shorter values occur by chance. */
const MIN_LENGTH = 8;

/** Makes a function that hides values of secret-looking variables in lines of output, and of those that are known as secret. */
export function createSecretMask(
  environment: ProcessEnvironment,
  known: ReadonlyMap<string, string> = new Map(),
): (text: string) => string {
  const named = Object.entries(environment).filter(([name]) => SECRET_NAME.test(name));
  const secrets = [...named, ...known]
    .flatMap(([name, value]) => value.split("\n").map((line) => ({ name, line: line.trim() })))
    .filter(({ line }) => line.length >= MIN_LENGTH)
    .sort((left, right) => right.line.length - left.line.length);
  if (secrets.length === 0) return (text) => text;
  return (text) => secrets.reduce((masked, { name, line }) => masked.replaceAll(line, () => `[${name} hidden]`), text);
}
