/** What stands around calls, by its key: each is on when its key is there; the package `@aiw/extensions` brings them. */
export interface ExtensionsConfig {}
