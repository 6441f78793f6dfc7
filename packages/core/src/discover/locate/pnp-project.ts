/** A package in a Plug'n'Play tree; both parts are `null` for the tree's own top. */
export interface PnpLocator {
  readonly name: string | null;
  readonly reference: string | null;
}

/** What the tree knows of one package. */
export interface PnpPackageInformation {
  /** A folder, perhaps inside an archive or a virtual folder. */
  readonly packageLocation: string;
  /** By key: a reference, an alias with its reference, or `null` for a peer that nobody provides. */
  readonly packageDependencies: ReadonlyMap<string, string | readonly [name: string, reference: string] | null>;
}

/** The part of Yarn's resolver that discovery asks. */
export interface PnpApi {
  /** Gives the folder of a package; throws where `issuer` does not depend on it. */
  resolveToUnqualified(request: string, issuer: string, options: { readonly considerBuiltins: boolean }): string | null;
  findPackageLocator(location: string): PnpLocator | null;
  getPackageInformation(locator: PnpLocator): PnpPackageInformation | null;
  /** Newer resolvers alone list everything. */
  getAllLocators?(): readonly PnpLocator[];
}

/** A project whose packages Plug'n'Play resolves in this process. */
export interface PnpProject {
  readonly api: PnpApi;
  /** The project's folder with links followed and a separator at the end, as the resolver wants it. */
  readonly issuer: string;
}

/** How discovery learns whether Plug'n'Play is in charge; tests replace it. */
export interface PnpPort {
  /** Gives the resolver of a project; undefined where its hook is not active in this process. */
  find(projectDir: string): PnpProject | undefined;
}
