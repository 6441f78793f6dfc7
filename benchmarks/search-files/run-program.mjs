// A program started directly, its output counted and thrown away.
import { spawn } from "node:child_process";

/** Gives how many of its lines begin so; all of them when nothing is said. */
export async function countLines(program, args, { cwd, start = "" }) {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const chunks = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  return () => {
    const lines = Buffer.concat(chunks).toString().split("\n");
    return lines.filter((line) => line !== "" && line.startsWith(start)).length;
  };
}
