import { isPlainLocale } from "./environment-names.ts";

/** What the operator adds to the variables a command may see. */
export interface EnvironmentOptions {
  /** Names passed on from the host beside the usual ones. */
  readonly passed?: readonly string[];
  /** Passes the host's proxy variables on. */
  readonly proxy?: boolean;
  /** The caller's own variables; they win over the host's. */
  readonly added?: Readonly<Record<string, string>>;
}

/** A map of environment variables. */
export type ProcessEnvironment = Record<string, string>;

const PASSED = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "TERM", "XDG_RUNTIME_DIR", "SSL_CERT_FILE"],
  // The equivalents on Windows.
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME"],
  ...["HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
]);

const PROXY = new Set(["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"]);

/** Nothing asks, pages, colours or draws bars: nobody watches the terminal. */
const FIXED: Readonly<ProcessEnvironment> = {
  CI: "1",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "Never",
  SSH_ASKPASS_REQUIRE: "never",
  PAGER: "cat",
  GIT_PAGER: "cat",
  EDITOR: "false",
  NO_COLOR: "1",
  TERM: "dumb",
  PIP_PROGRESS_BAR: "off",
  TQDM_DISABLE: "1",
};

/** Builds a command's environment from nothing (SEC-SH-6): allowed names of the host, fixed values, the caller's own. */
export function buildEnvironment(host: NodeJS.ProcessEnv, options: EnvironmentOptions = {}): ProcessEnvironment {
  const named = new Set(options.passed ?? []);
  const result: ProcessEnvironment = Object.create(null) as ProcessEnvironment;
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || !(named.has(name) || isPassed(name, options.proxy ?? false))) continue;
    // Commands are UTF-8, and bash reads them in its locale: in Big5 or GBK a quote may vanish in the character before it.
    if (isPlainLocale(name, value)) result[name] = value;
  }
  return Object.assign(result, FIXED, options.added);
}

function isPassed(name: string, proxy: boolean): boolean {
  const upper = name.toUpperCase();
  if (proxy && PROXY.has(upper)) return true;
  // Windows ignores case in names; elsewhere `path` is another variable.
  return PASSED.has(process.platform === "win32" ? upper : name) || /^LC_[A-Z]+$/.test(name);
}
