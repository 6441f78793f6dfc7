import { listFiles } from "../list-files.mjs";

await listFiles(["--sort=modified"]);
