import type { AuthConfig } from "@aiw/core";
import { validateConfig } from "@aiw/core/node";
import type { ConfigureExtension, Extension } from "@aiw/executor";
import { Access } from "./access.ts";

/** Who may call what; what no rule speaks of is denied unless `default` says otherwise. */
export interface AuthOptions extends AuthConfig {
  /** `auth` unless named; several stand beside each other, and each can deny. */
  readonly name?: string;
}

/**
 * Makes the extension for role-based access: a tool that a caller may not use at all is not offered to it either.
 * @throws AiwError `config_invalid`
 */
export function auth(options: AuthOptions): Extension {
  const { name = "auth", ...config } = options;
  validateConfig({ extensions: { auth: config } }, { source: `The configuration of ${name}` });
  const access = new Access(config, name);
  return Object.freeze<Extension>({
    name,
    stage: "authorize_arguments",
    beforeExecute: (call) => access.judge(call),
    isOffered: (entry, principal, { ownsName }) => access.isOffered({ entry, spec: entry.spec, ownsName }, principal),
  });
}

/** Makes the extension `extensions.auth`, beside one that a host makes in code. */
export const configure: ConfigureExtension<AuthConfig> = (settings) => auth({ ...settings, name: "extensions.auth" });
