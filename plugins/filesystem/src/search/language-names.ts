const NAMES: readonly (readonly [language: string, names: string])[] = [
  ["c", "*.c *.h"],
  ["cpp", "*.cc *.cpp *.cxx *.c++ *.hh *.hpp *.hxx *.h *.inl"],
  ["csharp", "*.cs *.csx"],
  ["clojure", "*.clj *.cljs *.cljc *.edn"],
  ["css", "*.css *.scss *.sass *.less"],
  ["csv", "*.csv *.tsv"],
  ["dart", "*.dart"],
  ["docker", "Dockerfile Dockerfile.* *.dockerfile Containerfile"],
  ["elixir", "*.ex *.exs *.eex *.heex"],
  ["erlang", "*.erl *.hrl"],
  ["fsharp", "*.fs *.fsi *.fsx"],
  ["go", "*.go"],
  ["graphql", "*.graphql *.gql"],
  ["groovy", "*.groovy *.gradle"],
  ["haskell", "*.hs *.lhs"],
  ["html", "*.html *.htm *.xhtml"],
  ["ini", "*.ini *.cfg *.conf *.properties"],
  ["java", "*.java *.jsp"],
  ["js", "*.js *.mjs *.cjs *.jsx *.vue *.svelte"],
  ["json", "*.json *.jsonc *.json5 *.jsonl *.ndjson"],
  ["julia", "*.jl"],
  ["kotlin", "*.kt *.kts"],
  ["lua", "*.lua"],
  ["make", "Makefile makefile GNUmakefile *.mk *.mak"],
  ["markdown", "*.md *.mdx *.markdown *.mkd"],
  ["nix", "*.nix"],
  ["objc", "*.m *.mm *.h"],
  ["ocaml", "*.ml *.mli"],
  ["perl", "*.pl *.pm *.t"],
  ["php", "*.php *.phtml"],
  ["powershell", "*.ps1 *.psm1 *.psd1"],
  ["proto", "*.proto"],
  ["py", "*.py *.pyi *.pyx"],
  ["r", "*.r *.R *.Rmd"],
  ["ruby", "*.rb *.rake *.gemspec Gemfile Rakefile"],
  ["rust", "*.rs"],
  ["scala", "*.scala *.sbt"],
  ["sh", "*.sh *.bash *.zsh *.ksh *.fish .bashrc .zshrc .profile"],
  ["sql", "*.sql"],
  ["swift", "*.swift"],
  ["terraform", "*.tf *.tfvars *.hcl"],
  ["tex", "*.tex *.bib *.sty *.cls"],
  ["toml", "*.toml"],
  ["ts", "*.ts *.mts *.cts *.tsx"],
  ["txt", "*.txt *.text *.log"],
  ["xml", "*.xml *.xsd *.xsl *.xslt *.svg *.plist"],
  ["yaml", "*.yaml *.yml"],
  ["zig", "*.zig"],
];

const BY_LANGUAGE: ReadonlyMap<string, readonly string[]> = new Map(
  NAMES.map(([language, names]) => [language, names.split(" ")]),
);

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["bash", "sh"],
  ["shell", "sh"],
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["cs", "csharp"],
  ["golang", "go"],
  ["javascript", "js"],
  ["jsx", "js"],
  ["md", "markdown"],
  ["python", "py"],
  ["rb", "ruby"],
  ["rs", "rust"],
  ["tsx", "ts"],
  ["typescript", "ts"],
  ["yml", "yaml"],
]);

/** Every language by its shortest name. */
export const LANGUAGES: readonly string[] = [...BY_LANGUAGE.keys()];

/** Name patterns of a language's files; `undefined` for a language that is not known. */
export function namesOfLanguage(language: string): readonly string[] | undefined {
  const key = language.toLowerCase();
  return BY_LANGUAGE.get(OTHER_NAMES.get(key) ?? key);
}
