import { z } from "zod";
import { parseHostPattern } from "@aiw/core/node";

const hostList = (description: string) =>
  z
    .array(
      z
        .string()
        .max(300)
        .refine((text) => parseHostPattern(text) !== undefined, "expected host, host:port, *.host or [IPv6]:port"),
    )
    .max(1000)
    .default([])
    .describe(description);

/** Settings an operator gives this package. */
export const webOptions = z.strictObject({
  allow_private: hostList('Non-public targets that may be fetched, such as "127.0.0.1:8080" or "wiki.corp.example".'),
  allowed_hosts: hostList('When not empty, only these hosts are fetched; "*.example.com" means its subdomains.'),
  blocked_hosts: hostList('Hosts that are never fetched; "*.example.com" means its subdomains.'),
  requests_per_minute: z
    .int()
    .min(1)
    .max(600)
    .default(10)
    .describe("Requests to one host within a minute, redirects included."),
});

/** The options as the package's tools receive them. */
export type WebOptions = z.output<typeof webOptions>;
