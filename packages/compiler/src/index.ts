/** Whoever makes tools of documented TypeScript enters here. */
export type { CompileResult } from "./compile-result.ts";
export { compileTools, createCompiler, type Compiler, type CompilerOptions } from "./create-compiler.ts";
export { DIAGNOSTIC_CODES, type DiagnosticCode } from "./diagnostic-codes.ts";
export type { Diagnostic, DiagnosticSeverity } from "./diagnostic.ts";
export { formatDiagnostic, type FormatDiagnosticOptions } from "./format-diagnostic.ts";
export type { FilePort } from "./program/file-port.ts";
