import type { OptionGrammar } from "./scan-options.ts";

/** What a program may be given and still only look; whatever is not listed here makes it unsafe. */
export interface ReadOnlyProgram extends OptionGrammar {
  /** `paths` must lie inside the roots, `text` may be anything, `none` allows no operand. */
  readonly operands: "paths" | "text" | "none";
  /** Leading operands that are text, like the pattern of `grep`, unless one of these options gave it. */
  readonly textFirst?: { readonly count: number; readonly unless: readonly string[] };
  readonly maxOperands?: number;
  /** Operands must match; for small languages like that of `sed`. */
  readonly pattern?: RegExp;
  /** No folder may be named, as links in it would be followed. */
  readonly filesOnly?: boolean;
  /** Part of the shell; never looked up. */
  readonly builtin?: boolean;
  /** The same for all arguments but the first. */
  readonly dynamicRest?: boolean;
  /** Does nothing but print or ignore its arguments, whatever they are. */
  readonly dynamic?: boolean;
}

const GREP: ReadOnlyProgram = {
  operands: "paths",
  flags: "EFGPivwxcLlqsohHnbTUzaIry",
  values: "eABCm",
  long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? files-without-match files-with-matches quiet silent no-messages only-matching with-filename no-filename line-number byte-offset initial-tab null text recursive regexp= after-context= before-context= context= max-count= include= exclude= exclude-dir= binary-files= label=",
  words: /^-\d+$/,
  textFirst: { count: 1, unless: ["-e", "--regexp"] },
};

const DIGEST: ReadOnlyProgram = { operands: "paths", flags: "btz", long: "binary text zero tag" };
/** A format without `%n`, which sets a variable. */
const FORMAT =
  /^(?:[^%]|%%|%[-+# 0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:[hlLjtz]{0,2}[diouxXeEfFgGaAcsbqQ]|\([^)]*\)T))*$/;
const TEXT: ReadOnlyProgram = { operands: "text" };

/** Programs known to change nothing, with all they may be given (SEC-SH-5). */
export const READ_ONLY_PROGRAMS: ReadonlyMap<string, ReadOnlyProgram> = new Map<string, ReadOnlyProgram>([
  ["echo", { operands: "text", words: /^-/, dynamic: true, builtin: true }],
  ["printf", { operands: "text", stopsAtOperand: true, dynamicRest: true, builtin: true, pattern: FORMAT }],
  ["true", { operands: "text", words: /^-/, dynamic: true, builtin: true }],
  ["false", { operands: "text", words: /^-/, dynamic: true, builtin: true }],
  [":", { operands: "text", words: /^-/, dynamic: true, builtin: true }],
  ["pwd", { operands: "none", flags: "LP", builtin: true }],
  ["cd", { operands: "paths", maxOperands: 1, builtin: true }],
  ["exit", { operands: "text", pattern: /^\d{1,3}$/, maxOperands: 1, builtin: true }],
  ["break", { operands: "none", builtin: true }],
  ["continue", { operands: "none", builtin: true }],
  ["wait", { operands: "none", builtin: true }],
  ["test", { operands: "paths", words: /^-(?![vR]$)[a-zA-Z]{1,2}$/, builtin: true }],
  ["[", { operands: "paths", words: /^-(?![vR]$)[a-zA-Z]{1,2}$/, builtin: true }],
  ["type", { operands: "text", flags: "aftpP", builtin: true }],
  ["command", { operands: "text", flags: "vV", builtin: true }],
  [
    "set",
    { operands: "text", words: /^(-[eux]*o?|\+[eux]+)$/, pattern: /^(pipefail|errexit|nounset)$/, builtin: true },
  ],
  [
    "ls",
    {
      operands: "paths",
      flags: "aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ1",
      values: "ITw",
      long: "all almost-all author classify? color? directory escape full-time group-directories-first human-readable si inode kibibytes literal numeric-uid-gid no-group quote-name recursive reverse size ignore= hide= sort= time= time-style= format= width= indicator-style= block-size= hyperlink? zero",
    },
  ],
  [
    "cat",
    {
      operands: "paths",
      flags: "AbeEnstTuv",
      long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
    },
  ],
  [
    "head",
    {
      operands: "paths",
      flags: "qvz",
      values: "nc",
      long: "lines= bytes= quiet silent verbose zero-terminated",
      words: /^-\d+$/,
    },
  ],
  [
    "tail",
    {
      operands: "paths",
      flags: "qvz",
      values: "nc",
      long: "lines= bytes= quiet silent verbose zero-terminated",
      words: /^-\d+$/,
    },
  ],
  ["wc", { operands: "paths", flags: "clmwL", long: "bytes chars lines words max-line-length total=" }],
  ["grep", GREP],
  ["egrep", GREP],
  ["fgrep", GREP],
  [
    "rg",
    {
      operands: "paths",
      flags: "ivwxlcnNoHIFsSUPa0pu",
      values: "egtTABCmMjdr",
      long: "ignore-case smart-case case-sensitive invert-match word-regexp line-regexp files-with-matches files-without-match count count-matches line-number no-line-number column only-matching with-filename no-filename fixed-strings multiline pcre2 text null pretty unrestricted files hidden no-ignore no-config json heading no-heading trim stats regexp= glob= iglob= type= type-not= after-context= before-context= context= max-count= max-columns= max-depth= threads= replace= color= sort= sortr= max-filesize= encoding=",
      textFirst: { count: 1, unless: ["-e", "--regexp", "--files"] },
    },
  ],
  ["stat", { operands: "paths", flags: "Lft", values: "c", long: "dereference file-system terse format= printf=" }],
  [
    "file",
    {
      operands: "paths",
      flags: "biLhkN0",
      long: "brief mime mime-type mime-encoding dereference no-dereference keep-going",
    },
  ],
  [
    "du",
    {
      operands: "paths",
      flags: "0abchkmsSx",
      values: "dtB",
      long: "all apparent-size bytes total human-readable summarize separate-dirs one-file-system max-depth= threshold= block-size= exclude=",
    },
  ],
  ["df", { operands: "paths", flags: "ahHiklPT", long: "all human-readable si inodes local portability print-type" }],
  [
    "tree",
    {
      operands: "paths",
      flags: "adfiqNpugshDFvtrACnJX",
      values: "LPI",
      valuesFollow: true,
      long: "noreport dirsfirst filelimit= prune gitignore",
    },
  ],
  [
    "realpath",
    {
      operands: "paths",
      flags: "emsqLPz",
      long: "canonicalize-existing canonicalize-missing no-symlinks quiet strip zero",
    },
  ],
  ["readlink", { operands: "paths", flags: "efmnqsvz", long: "canonicalize no-newline quiet silent verbose zero" }],
  [
    "sort",
    {
      operands: "paths",
      flags: "bdfgihnRrVcCmsuzM",
      values: "kt",
      long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort numeric-sort reverse version-sort check? merge stable unique zero-terminated key= field-separator=",
    },
  ],
  [
    "uniq",
    {
      operands: "paths",
      maxOperands: 1,
      flags: "cdDiuz",
      values: "fsw",
      long: "count repeated ignore-case unique zero-terminated skip-fields= skip-chars= check-chars=",
    },
  ],
  [
    "cut",
    {
      operands: "paths",
      flags: "nsz",
      values: "bcdf",
      long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated",
    },
  ],
  ["nl", { operands: "paths", flags: "p", values: "bdfhilnsvw" }],
  ["tac", { operands: "paths", flags: "br", values: "s" }],
  ["rev", { operands: "paths" }],
  ["paste", { operands: "paths", flags: "sz", values: "d" }],
  ["comm", { operands: "paths", flags: "123z", long: "check-order nocheck-order total" }],
  ["fold", { operands: "paths", flags: "bs", values: "w" }],
  ["column", { operands: "paths", flags: "tx", values: "sco" }],
  [
    "diff",
    {
      operands: "paths",
      filesOnly: true,
      flags: "abBcdeEinpqsTtuwy",
      values: "CUIxWF",
      long: "brief side-by-side unified? context? ignore-case ignore-all-space ignore-space-change ignore-blank-lines text minimal color? exclude= width= report-identical-files suppress-common-lines strip-trailing-cr",
      words: /^-\d+$/,
    },
  ],
  ["cmp", { operands: "paths", flags: "bls", values: "in", long: "print-bytes verbose silent quiet" }],
  ["md5sum", DIGEST],
  ["sha1sum", DIGEST],
  ["sha256sum", DIGEST],
  ["sha512sum", DIGEST],
  ["cksum", { operands: "paths" }],
  ["od", { operands: "paths", flags: "abcdfhilosxv", values: "AjNtS", words: /^-w\d+$/ }],
  ["hexdump", { operands: "paths", flags: "bcCdovx", values: "ns" }],
  ["tr", { operands: "text", flags: "cCdst", long: "complement delete squeeze-repeats truncate-set1" }],
  ["seq", { operands: "text", flags: "w", values: "sf", words: /^-\d+(\.\d+)?$/ }],
  ["sleep", TEXT],
  ["basename", { operands: "text", flags: "az", values: "s", long: "multiple suffix= zero" }],
  ["dirname", { operands: "text", flags: "z", long: "zero" }],
  ["which", { operands: "text", flags: "as" }],
  [
    "date",
    {
      operands: "text",
      flags: "uR",
      values: "d",
      long: "utc rfc-email iso-8601? date= rfc-3339=",
      words: /^-I\w*$/,
      pattern: /^\+/,
    },
  ],
  [
    "uname",
    { operands: "none", flags: "asnrvmpio", long: "all kernel-name nodename kernel-release machine operating-system" },
  ],
  ["whoami", { operands: "none" }],
  ["id", { operands: "none", flags: "ugnGr" }],
  ["hostname", { operands: "none" }],
  ["nproc", { operands: "none", long: "all" }],
  ["arch", { operands: "none" }],
  ["uptime", { operands: "none", flags: "ps" }],
  ["printenv", { operands: "text" }],
  ["env", { operands: "none" }],
  [
    "sed",
    {
      operands: "paths",
      flags: "nEsu",
      long: "quiet silent regexp-extended",
      textFirst: { count: 1, unless: [] },
      pattern: /^(\d+|\$)(,(\d+|\$))?(p|d|q)$/,
    },
  ],
]);

const LONG = ["--version"];

/** How programs are asked for their version and nothing else; those that let a project choose their version are not here. */
export const VERSION_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["node", [...LONG, "-v"]],
  ["npm", [...LONG, "-v"]],
  ["git", [...LONG, "-v"]],
  ["python", [...LONG, "-V"]],
  ["python3", [...LONG, "-V"]],
  ["gcc", [...LONG, "-v"]],
  ["make", [...LONG, "-v"]],
  ["java", LONG],
  ["rg", [...LONG, "-V"]],
  ["docker", [...LONG, "-v"]],
]);
