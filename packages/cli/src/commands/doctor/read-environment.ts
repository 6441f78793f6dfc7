import type { CliIo } from "../../io.ts";
import type { EnvironmentFact } from "./diagnosis.ts";

/** What each variable does with the value it has. */
const EFFECTS: readonly (readonly [name: string, effect: (value: string) => string | undefined])[] = [
  ["AIWHISPERER_PLUGINS", sayPlugins],
  ["AIWHISPERER_PLUGINS_DIR", (value) => (value === "" ? undefined : "these folders of tools are read too")],
  ["AIWHISPERER_REQUIRE_STATIC", sayRequireStatic],
  ["AIWHISPERER_FROZEN", sayFrozen],
  ["NODE_ENV", (value) => (value === "production" ? "development dependencies are left out" : undefined)],
  ["AIW_CONFIG_HOME", (value) => (value === "" ? undefined : "what you trust is recorded there")],
];

/** Lists the variables in force, those without an effect left out. */
export function readEnvironment(environment: CliIo["environment"]): EnvironmentFact[] {
  return EFFECTS.flatMap(([name, toEffect]) => {
    const value = environment[name];
    const effect = value === undefined ? undefined : toEffect(value);
    return value === undefined || effect === undefined ? [] : [{ name, value, effect }];
  });
}

function sayPlugins(value: string): string {
  return value.trim() === "" ? "no package is enabled" : "only these packages are enabled";
}

function sayRequireStatic(value: string): string | undefined {
  return isOff(value) ? undefined : "packages without a static manifest are refused";
}

function sayFrozen(value: string): string | undefined {
  return isOff(value) ? undefined : "tools are found only when all are as aiw.lock pins them";
}

function isOff(value: string): boolean {
  return ["", "0", "false"].includes(value.trim().toLowerCase());
}
