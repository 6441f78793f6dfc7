import { z } from "zod";

/** What an operator decides for this plugin; no argument of a call can change it. */
export const shellOptions = z.strictObject({
  shell: z
    .string()
    .startsWith("/")
    .optional()
    .describe("Absolute path of bash; searched in the usual places when absent."),
  max_timeout: z.number().positive().max(60).default(60).describe("Seconds a command may run at most."),
  pass_environment: z
    .array(z.string())
    .default([])
    .describe("Names of host variables that commands see beside the usual ones."),
  pass_proxy: z.boolean().default(false).describe("Whether commands see the host's proxy variables."),
  trusted_directories: z
    .array(z.string().startsWith("/"))
    .default(["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"])
    .describe("Directories whose programs are what their names say, so that read-only ones run unasked."),
});

/** Options as configured, defaults filled. */
export type ShellOptions = z.infer<typeof shellOptions>;
