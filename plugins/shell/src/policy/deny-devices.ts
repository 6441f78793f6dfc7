import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { isInside, isInsideRoots, resolvePhysical } from "./resolve-path.ts";
import type { PolicyContext } from "./policy-context.ts";
import { deny, type Finding } from "./verdict.ts";

const HARMLESS_DEVICES =
  /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|stdin|stdout|stderr)$|^\/dev\/(fd|pts|shm|tcp|udp)\//;
const FORMATTERS = /^(mkfs(\..+)?|mke2fs|mkswap|mkdosfs|mkntfs)$/;
const WRITERS = new Set([
  "tee",
  "cp",
  "mv",
  "install",
  "shred",
  "wipefs",
  "blkdiscard",
  "truncate",
  "badblocks",
  "hdparm",
  "sgdisk",
  "dd",
]);
const PARTITIONERS = new Set(["fdisk", "sfdisk", "gdisk", "cfdisk", "parted"]);

/** Refuses to format, or to write to a device as raw bytes. */
export function denyDevices(program: string, command: SimpleCommand, context: PolicyContext): Finding | undefined {
  const words = getArguments(command).flatMap((arg) => (arg.value === undefined ? [] : [arg.value]));
  const operands = words.filter((word) => !word.startsWith("-"));
  if (FORMATTERS.test(program)) {
    const target = operands.find((operand) => !isOwnImage(operand, command, context));
    if (target !== undefined) return deny("format", `${program} would format ${target}`);
  }
  const device = findDevice(program, words, operands);
  return device === undefined ? undefined : deny("raw_device", `${program} would write to the device ${device}`);
}

/** True for a device whose bytes are a disk, memory or the like. */
export function isRawDevice(path: string): boolean {
  const real = resolvePhysical("/", path.replace(/^\/+/, "/"));
  return isInside("/dev", real) && real !== "/dev" && !HARMLESS_DEVICES.test(real) && !HARMLESS_DEVICES.test(path);
}

function findDevice(program: string, words: readonly string[], operands: readonly string[]): string | undefined {
  if (program === "dd")
    return words
      .filter((word) => word.startsWith("of="))
      .map((word) => word.slice(3))
      .find(isDevicePath);
  if (program === "cp" || program === "mv" || program === "install") return operands.slice(-1).find(isDevicePath);
  if (WRITERS.has(program)) return operands.find(isDevicePath);
  if (PARTITIONERS.has(program) && !words.some((word) => /^(-l|--list|-d|--dump|-x|print|--version)$/.test(word))) {
    return operands.find(isDevicePath);
  }
  return undefined;
}

function isDevicePath(word: string): boolean {
  return word.startsWith("/") && isRawDevice(word);
}

/** A number is a size, and a file in a root is an image somebody made for this. */
function isOwnImage(operand: string, command: SimpleCommand, context: PolicyContext): boolean {
  if (/^\d+[kKmMgG]?$/.test(operand) || /^[a-z]+[234]?$/.test(operand)) return true;
  return (
    command.directories?.every((directory) => isInsideRoots(context.roots, resolvePhysical(directory, operand))) ??
    false
  );
}
