/** Hosts enter here for role-based access. */
export { auth, configure, type AuthOptions } from "./auth/auth.ts";
export {
  explainAccess,
  type AccessExplanation,
  type AccessQuestion,
  type ExplainedRule,
} from "./auth/explain-access.ts";
export type { AuthCondition, AuthConfig, AuthMatch, AuthRole, AuthRule } from "@aiw/core";
