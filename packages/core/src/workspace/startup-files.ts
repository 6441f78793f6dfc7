/** Files that a program runs or obeys when it starts, by name, wherever they lie. */
const NAMES: ReadonlySet<string> = new Set([
  // shells, sessions and their companions
  ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
  ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", ".envrc", ".xinitrc",
  ".xprofile", ".xsession", ".xsessionrc", ".pam_environment", ".tmux.conf", ".screenrc", "config.fish",
  "microsoft.powershell_profile.ps1", "profile.ps1",
  // git and its hook runners
  ".gitconfig", ".gitmodules", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".huskyrc",
  // editors and debuggers
  ".vimrc", ".gvimrc", ".exrc", ".nvimrc", ".nvim.lua", ".ideavimrc", ".emacs", ".dir-locals.el", ".dir-locals-2.el",
  ".lldbinit", ".gdbinit", ".devcontainer.json",
  // agents
  ".mcp.json", "mcp.json", "agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", ".cursorrules",
  ".windsurfrules", ".clinerules", ".roorules", ".goosehints", ".aider.conf.yml", "opencode.json", "opencode.jsonc",
  "copilot-instructions.md", "aiw.config.json", "aiw.lock",
  // package managers, version managers and interpreters
  ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml", "bunfig.toml", ".bunfig.toml",
  ".pypirc", "pip.conf", "pip.ini", ".pydistutils.cfg", ".condarc", ".gemrc", ".irbrc", ".pryrc", ".rprofile", ".pythonrc",
  "sitecustomize.py", "usercustomize.py", ".netrc", "_netrc", ".curlrc", ".wgetrc", ".mise.toml", "mise.toml",
  ".tool-versions", "init.gradle", "init.gradle.kts", ".cargo.toml",
]);

/** Folders whose whole content is start-up material, as names that follow each other. */
const FOLDERS: readonly (readonly string[])[] = [
  [".ssh"], [".gnupg"], [".husky"], [".githooks"], [".vscode"], [".idea"], [".zed"], [".fleet"], [".emacs.d"], [".vim"],
  [".devcontainer"], [".claude"], [".cursor"], [".codex"], [".gemini"], [".aiw"], [".windsurf"], [".continue"], [".roo"],
  [".cline"], [".opencode"], [".kiro"], [".amazonq"], [".bundle"], [".cargo"], [".mvn"], [".m2"], [".yarn", "plugins"],
  [".yarn", "releases"], [".direnv"], [".config", "fish"], [".config", "git"], [".config", "nvim"], [".config", "pip"],
  [".config", "autostart"], [".config", "systemd"], [".config", "environment.d"], [".config", "direnv"], [".config", "mise"],
  [".config", "opencode"], [".gradle", "init.d"], ["library", "launchagents"], ["library", "launchdaemons"],
];

const SUFFIXES: readonly string[] = [".code-workspace", ".pth"];

/**
 * Whether shells, editors, agents or package managers run or obey this file when they start (SEC-FS-9).
 * By its text alone, whether or not it exists: a tool's `assess` asks before writing one.
 */
export function isStartupFile(path: string): boolean {
  const names = path.normalize("NFC").toLowerCase().split(/[\\/]/u).filter((name) => name !== "" && name !== ".");
  const last = names.at(-1);
  if (last === undefined) return false;
  if (NAMES.has(last) || SUFFIXES.some((suffix) => last.endsWith(suffix))) return true;
  return FOLDERS.some((folder) => names.some((_, start) => folder.every((name, index) => names[start + index] === name)));
}
