import type { FileHandle } from "node:fs/promises";
import { nodeFileSystem, type FileSystemPort } from "../../confine/file-system-port.ts";

/** Gives an errno for an operation that shall fail, named as `rename` or `handle.sync`. */
export type Operation = (name: string, args: readonly unknown[]) => string | undefined;

/** The real disk, but an operation for which `fails` gives an errno throws it instead; a close still closes. */
export function faultyDisk(fails: Operation): FileSystemPort {
  const guard = (name: string, work: (...args: never[]) => unknown, owner: object): unknown => {
    return async (...args: never[]) => {
      const errno = fails(name, args);
      if (errno !== undefined) {
        if (name === "handle.close") await Reflect.apply(work, owner, args);
        throw Object.assign(new Error(`${errno}: injected, ${name}`), { code: errno, syscall: name });
      }
      const result: unknown = await Reflect.apply(work, owner, args);
      return name === "open" ? guardHandle(result as FileHandle) : result;
    };
  };
  const guardHandle = (handle: FileHandle): FileHandle => {
    return new Proxy(handle, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? guard(`handle.${String(key)}`, value as never, target) : value;
      },
    });
  };
  const entries = Object.entries(nodeFileSystem).filter(([, value]) => typeof value === "function");
  return Object.fromEntries(
    entries.map(([name, value]) => [name, guard(name, value as never, nodeFileSystem)]),
  ) as never;
}
