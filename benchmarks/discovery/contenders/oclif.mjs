// A command line whose plugins all have the manifest that spares loading their code.
import { Config } from "@oclif/core/config";

const config = await Config.load({ root: process.argv[2] });
process.stdout.write(
  `${JSON.stringify({ count: config.commands.filter(({ id }) => id.startsWith("oclif_plugin")).length })}\n`,
);
