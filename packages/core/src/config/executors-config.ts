/** What tools of type `http` may reach beside public addresses. */
export interface HttpExecutorConfig {
  /** Targets that may be reached although they are not public, such as `127.0.0.1:8080`. */
  readonly allowPrivate?: readonly string[];
  /** When present, only these hosts are reached; `*.example.com` means its subdomains. */
  readonly allowedHosts?: readonly string[];
  /** Hosts that are never reached. */
  readonly blockedHosts?: readonly string[];
  /** Bytes of a decoded answer. */
  readonly maxBytes?: number;
}

/** What tools of type `shell` are given of the host. */
export interface ShellExecutorConfig {
  /** Variables of the host that commands get beside the usual ones. */
  readonly env?: readonly string[];
}

/** What tools that are only a spec are granted. */
export interface ExecutorsConfig {
  readonly http?: HttpExecutorConfig;
  readonly shell?: ShellExecutorConfig;
  /** Variables of the host that specs of a package may refer to by `{ "$env": "NAME" }`, by package key. */
  readonly secrets?: { readonly [packageKey: string]: readonly string[] };
}
