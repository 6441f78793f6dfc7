import { describe, expect, it, vi } from "vitest";
import { authorPackage, toolText } from "../../../__fixtures__/author-package.ts";
import { renderElsewhere } from "./render-elsewhere.ts";

/** A module that starts a program, which lives on and holds what the module prints on open. */
function starting(options: object, end = ""): string {
  return `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], ${JSON.stringify(options)});
writeFileSync(new URL("pid", import.meta.url), String(child.pid));
child.unref();
${end}
${toolText("find")}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("renderElsewhere", { timeout: 60_000 }, () => {
  it.skipIf(process.platform === "win32")("ends what the module started", async () => {
    await using author = await authorPackage({}, { "dist/index.js": starting({ stdio: "ignore" }) });
    await renderElsewhere({ packageDir: author.cwd, module: "./dist/index.js" });
    const pid = Number(await author.read("dist/pid"));
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000 });
  });

  it("does not wait for a program that left its group and holds its output open", async () => {
    const code = starting({ stdio: "inherit", detached: true }, "process.exit(3);");
    await using author = await authorPackage({}, { "dist/index.js": code });
    const rendering = renderElsewhere({ packageDir: author.cwd, module: "./dist/index.js" });
    await expect(rendering).rejects.toThrow("exit code 3");
    process.kill(Number(await author.read("dist/pid")), "SIGKILL");
  });
});
