import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { deny, type Finding } from "./verdict.ts";

const POWER = new Set(["shutdown", "reboot", "halt", "poweroff"]);
const ASKS_ONLY = /^(-c|--help|--version|-w|--wtmp-only|--show)$/;
const VERBS =
  /^(poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|exit)$/;

/** Refuses to switch the machine off or put it to sleep. */
export function denyPower(program: string, command: SimpleCommand): Finding | undefined {
  const words = getArguments(command).map((arg) => arg.value ?? "");
  const isPower =
    (POWER.has(program) && !words.some((word) => ASKS_ONLY.test(word))) ||
    ((program === "init" || program === "telinit") && words.some((word) => /^[06]$/.test(word))) ||
    ((program === "systemctl" || program === "loginctl") && words.some((word) => VERBS.test(word)));
  return isPower ? deny("power", `${program} would stop this machine`) : undefined;
}
