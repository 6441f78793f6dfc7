/** What a check belongs to, in the order of the scorecard. */
export const CHECK_GROUPS = ["tarball", "package", "manifest", "tools", "code"] as const;

/** A group of checks. */
export type CheckGroup = (typeof CHECK_GROUPS)[number];

/** Every check: what it belongs to, and what holds when it passes. */
export const CHECKS = {
  packs: ["tarball", "the package packs, without running its scripts"],
  tarball_paths: ["tarball", "ordinary files in the package's own folder, nothing else"],
  tarball_size: ["tarball", "small enough to install without a thought"],
  tarball_secrets: ["tarball", "no keys, tokens or environment files"],
  tarball_files: ["tarball", "no tests, no bundled packages, no source maps without sources"],
  package_identity: ["package", "a name and a version that registries take"],
  core_dependency: ["package", "@aiw/core is an ordinary dependency in a range that fits"],
  dependency_ranges: ["package", "every dependency is one that a stranger can install"],
  node_range: ["package", "engines.node says which Node it needs"],
  install_scripts: ["package", "nothing runs at install"],
  packed_files: ["package", "files lists what is published"],
  entry_points: ["package", "type, exports and main lead to files of the tarball"],
  license: ["package", "a license"],
  repository: ["package", "where the source is"],
  readme: ["package", "a README that names each tool"],
  provenance: ["package", "a release that can prove where it was built"],
  declaration: ["manifest", "package.json declares its tools as hosts read them"],
  static_form: ["manifest", "definitions are told without running code"],
  manifest: ["manifest", "the manifest is packed, legal and of this version"],
  modules: ["manifest", "every module the manifest names is packed"],
  definition_hashes: ["manifest", "nobody edited a definition since it was built"],
  manifest_fresh: ["manifest", "building again gives the same bytes"],
  names: ["tools", "names every provider takes, in snake_case, none like another"],
  descriptions: ["tools", "descriptions within bounds that hide no text"],
  alphabets: ["tools", "no word mixes alphabets"],
  parameters: ["tools", "every parameter is described"],
  examples: ["tools", "every example passes its schema"],
  effects: ["tools", "effects are declared and agree"],
  schemas: ["tools", "schemas compile strictly, and all they say is checked"],
  formats: ["tools", "every model format can say the tool"],
  imports: ["code", "every module imports, and goes on by itself"],
  import_time: ["code", "importing takes at most 500 ms of processor time"],
  import_silent: ["code", "importing prints nothing"],
  import_handles: ["code", "importing leaves nothing running"],
  import_globals: ["code", "importing leaves the language and Node as they are"],
  import_surroundings: ["code", "importing changes no environment, folder or file"],
  import_network: ["code", "importing opens no connection and starts no program"],
  definitions: ["code", "the code's own definitions are those listed"],
  contract: ["code", "the tools keep the contract"],
} as const;

/** The name of a check. */
export type CheckName = keyof typeof CHECKS;
