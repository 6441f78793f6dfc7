import type { Finding, ToolSpec } from "@aiw/core";
import type { LockDifference, LockedPackage } from "@aiw/core/node";
import type { LookAlike } from "../find-look-alikes.ts";
import type { PackageRequest } from "../parse-request.ts";
import type { BroughtPackage } from "./list-brought.ts";
import type { ShadowedCommand } from "./list-commands.ts";
import type { PackageContent } from "./hash-package.ts";
import type { RegistryFacts } from "./read-registry-facts.ts";

/** One tool a package declares. */
export interface InspectedTool {
  readonly name: string;
  /** Absent where only running code tells it. */
  readonly spec?: ToolSpec;
}

/** What its package.json says for people. */
export interface PackageFacts {
  readonly license?: string;
  readonly repository?: string;
  /** The range of Node it wants. */
  readonly node?: string;
}

/** What is installed of it now. */
export interface FormerPackage {
  readonly version: string;
  readonly content: PackageContent | undefined;
  /** Absent where its definitions are not known without running code. */
  readonly locked?: LockedPackage;
}

/** A package as it lies in the scratch project, before the real one changes. */
export interface InspectedPackage {
  readonly request: PackageRequest;
  readonly name: string;
  readonly version: string;
  readonly content: PackageContent;
  /** How it declares its tools; absent where it declares none. */
  readonly form?: "manifest" | "map" | "module";
  readonly tools: readonly InspectedTool[];
  readonly requiredOptions: readonly string[];
  readonly facts: PackageFacts;
  /** Scripts of its own that an installation would run. */
  readonly scripts: readonly string[];
  /** Names it puts into `node_modules/.bin`. */
  readonly commands: readonly string[];
  readonly brings: readonly BroughtPackage[];
  /** What a lock pins of it; absent where only running code tells its definitions. */
  readonly locked?: LockedPackage;
  /** Why it cannot be used. */
  readonly problems: readonly Finding[];
  readonly notes: readonly Finding[];
  /** Absent where the registry did not answer. */
  readonly registry?: RegistryFacts;
  readonly former?: FormerPackage;
  /** What is another thing than what is installed. */
  readonly differences: readonly LockDifference[];
  readonly lookAlikes: readonly LookAlike[];
  /** Commands, of it and of what it brings, that would answer in place of others. */
  readonly shadowed: readonly ShadowedCommand[];
  /** Names of its tools that other packages of the project have. */
  readonly taken: readonly { readonly name: string; readonly id: string }[];
}
