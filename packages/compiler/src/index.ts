export type { Diagnostic, DiagnosticSeverity } from "./diagnostic.ts";
