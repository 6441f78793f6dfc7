import { z } from "zod";

/** Settings an operator gives this package. */
export const filesystemOptions = z.strictObject({
  search_engine: z
    .enum(["auto", "builtin"])
    .default("auto")
    .describe("auto: ripgrep, and the built-in engine where it is missing; builtin: never start a program."),
  ripgrep_path: z
    .string()
    .max(4096)
    .optional()
    .describe("Absolute path of the ripgrep program to use instead of the bundled one."),
  vision: z
    .boolean()
    .default(false)
    .describe("The model sees images: read attaches PNG, JPEG, GIF and WebP within 2000×2000 pixels and 5 MiB."),
  hard_links: z
    .enum(["detach", "keep"])
    .default("detach")
    .describe(
      "detach: a changed file that has other names is replaced, they keep the old content; keep: it is written through, also where they lie outside or in a folder that is not for tools. Where rules deny paths or make folders read-only it is detach.",
    ),
});

/** The options as the package's tools receive them. */
export type FilesystemOptions = z.output<typeof filesystemOptions>;
