/** Variables that name programs, libraries or start-up files, or change how text is read. */
const POWERFUL = new Set([
  ...[
    "PATH",
    "ENV",
    "BASH_ENV",
    "SHELL",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "IFS",
    "CDPATH",
  ],
  ...["EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "TERMINFO", "TERMCAP"],
  ...[
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "RUBYOPT",
    "RUBYLIB",
  ],
  ...[
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONINSPECT",
    "PYTHONBREAKPOINT",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
  ],
  ...["CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS", "CC", "CXX", "LD", "AR", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES"],
  ...[
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SSH_AUTH_SOCK",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "HOSTALIASES",
    "RESOLV_HOST_CONF",
  ],
  ...[
    "HOME",
    "PWD",
    "OLDPWD",
    "TMPDIR",
    "ZDOTDIR",
    "INPUTRC",
    "RIPGREP_CONFIG_PATH",
    "CURL_HOME",
    "WGETRC",
    "DOCKER_HOST",
    "KUBECONFIG",
  ],
  ...[
    "RUSTC",
    "RUSTC_WRAPPER",
    "GOFLAGS",
    "TAR_OPTIONS",
    "GREP_OPTIONS",
    "RSYNC_RSH",
    "CVS_RSH",
    "POSIXLY_CORRECT",
    "BASH_XTRACEFD",
    "EXECIGNORE",
    "BASH_LOADABLES_PATH",
  ],
  // Whatever is assigned to these is arithmetic, which may hold commands.
  ...["RANDOM", "SRANDOM", "SECONDS", "OPTIND", "HISTCMD", "LINENO", "BASHPID", "EPOCHSECONDS", "FUNCNEST"],
]);
const POWERFUL_PREFIX =
  /^(LD_|DYLD_|BASH_FUNC_|XDG_|GIT_|npm_config_|NPM_CONFIG_|PNPM_|YARN_|PIP_|CARGO_|DOTNET_|COR_|CORECLR_)/;
/** Names under a powerful prefix that only carry data. */
const DATA = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$|^GIT_TERMINAL_PROMPT$|^GIT_OPTIONAL_LOCKS$/;
/** Names that change how things look and nothing else. */
const COSMETIC = /^(LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|CI)$/;

const LOCALE = /^(LANG|LC_[A-Z]+)$/;
/** Encodings in which every ASCII byte is its own character; in others (Big5, GBK) it may be half of one. */
const PLAIN_LOCALE = /^(C|POSIX|[\w.-]+\.utf-?8(@\w+)?)?$/i;
/** Lower-case names that mean something to the shell. */
const SHELL_OWN = /^(histchars|auto_resume)$/;

/** True for a variable with which a caller would choose what runs, or how its text is read (SEC-SH-6). */
export function isPowerfulVariable(name: string, value: string | undefined): boolean {
  if (LOCALE.test(name)) return !isPlainLocale(name, value);
  return (POWERFUL.has(name) || POWERFUL_PREFIX.test(name)) && !DATA.test(name);
}

/** False for a locale in whose encoding text may read otherwise than in UTF-8; true for other variables. */
export function isPlainLocale(name: string, value: string | undefined): boolean {
  return !LOCALE.test(name) || (value !== undefined && PLAIN_LOCALE.test(value));
}

/** True for a name that is the caller's own: those of shells and programs have no small letters. */
export function isOwnVariable(name: string): boolean {
  return /[a-z]/.test(name) && !SHELL_OWN.test(name);
}

/** True for a variable that, unless powerful, cannot change what a read-only command does. */
export function isCosmeticVariable(name: string): boolean {
  return COSMETIC.test(name);
}
