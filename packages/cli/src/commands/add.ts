import type { Command, Invocation } from "../command.ts";
import type { ExitCode } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";
import { addPackages } from "./packages/add-packages.ts";
import { parseRequest, type PackageRequest } from "./packages/parse-request.ts";
import { withInterrupts } from "./packages/with-interrupts.ts";

/** `aiw add` */
export const add: Command = {
  name: "add",
  summary: "Installs tool packages after showing what they declare",
  help: `Usage: aiw add PACKAGE[@RANGE]... [--dev] [--minimum-age DAYS] [--from-anywhere] [--yes] [--json] [--cwd DIR]

Installs packages of tools with the project's own package manager (npm, pnpm, Yarn, bun), without running any script. Each is
looked at first in a folder of its own: its tools and what they may do, its size, what it brings, who wanted an installation script,
its commands, when it was published, and of one that is installed what changes. Then you are asked. What was installed under these
names must be what was shown; an aiw.lock that is there pins it. When anything fails, or at Ctrl-C, package.json, lock files and
node_modules are as before.
--dev               saves as a development dependency
--minimum-age DAYS  refuses a named version that was published later (exit 3); what it brings is for the package manager's own setting
--from-anywhere     takes git, addresses, files and other names too; the registry alone is taken otherwise
--yes               accepts what is shown, without asking; needed where there is no terminal (else exit 3)
To upgrade: aiw add PACKAGE@latest`,
  options: {
    dev: { type: "boolean", short: "D" },
    "minimum-age": { type: "string" },
    "from-anywhere": { type: "boolean" },
    yes: { type: "boolean", short: "y" },
  },
  positionals: { min: 1, max: 50 },
  async run(invocation): Promise<ExitCode> {
    const { io, cwd, json, flags } = invocation;
    const options = {
      io,
      cwd,
      json,
      requests: readRequests(invocation),
      isDevelopment: flags["dev"] === true,
      accepted: flags["yes"] === true,
      minimumAgeDays: readDays(flags["minimum-age"]),
    };
    return withInterrupts(io, (signal) => addPackages({ ...options, signal }));
  },
};

function readRequests({ positionals, cwd, flags }: Invocation): PackageRequest[] {
  const fromAnywhere = flags["from-anywhere"] === true;
  const requests = positionals.map((text) => parseRequest(text, { cwd, fromAnywhere }));
  const names = requests.flatMap(({ name }) => name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice.`);
  return requests;
}

const MAX_DAYS = 3650;

function readDays(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  const days = Number(value);
  if (typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) && days <= MAX_DAYS) return days;
  throw new UsageError(`--minimum-age is a number of days from 0 to ${MAX_DAYS}.`);
}
