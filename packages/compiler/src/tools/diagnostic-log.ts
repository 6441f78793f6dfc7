import { ts } from "@ts-morph/common";
import { escapeHiddenText } from "@aiw/core";
import type { Diagnostic } from "../diagnostic.ts";
import type { Remark, Report } from "../docs/read-constraints.ts";

/** Characters of a message or a fix. */
const MAX_TEXT = 600;

/** What is said of one tool. */
export interface ToolReport {
  readonly report: Report;
  /** True when something keeps the tool out. */
  hasErrors(): boolean;
}

/** Collects what is said of a compilation; what two tools share is said once, and keeps both out. */
export class DiagnosticLog {
  readonly #diagnostics = new Map<string, Diagnostic>();
  readonly #isOwn: (file: string) => boolean;
  #recorded: Diagnostic[] | undefined;

  /** `isOwn` says which files the author of the tools can change. */
  constructor(isOwn: (file: string) => boolean) {
    this.#isOwn = isOwn;
  }

  /** Adds a remark on no tool, or on one that is known. */
  add(remark: Remark, tool?: string): void {
    const diagnostic = toDiagnostic(remark, tool);
    this.#recorded?.push(diagnostic);
    this.#keep(diagnostic);
  }

  /** Does work, and gives with its result all that is said meanwhile. */
  record<Value>(work: () => Value): { readonly value: Value; readonly said: readonly Diagnostic[] } {
    const said: Diagnostic[] = [];
    this.#recorded = said;
    try {
      return { value: work(), said };
    } finally {
      this.#recorded = undefined;
    }
  }

  /** Says what was recorded before. */
  repeat(said: readonly Diagnostic[]): void {
    for (const diagnostic of said) this.#keep(diagnostic);
  }

  #keep(diagnostic: Diagnostic): void {
    const { file, line, column, code, message } = diagnostic;
    const key = [file, line, column, code, message].join("\0");
    if (!this.#diagnostics.has(key)) this.#diagnostics.set(key, diagnostic);
  }

  /** Opens the report of one tool; what is wrong in files of other packages is said at the tool. */
  openTool(tool: string, node: ts.Node): ToolReport {
    let isRefused = false;
    return {
      report: (remark) => {
        isRefused ||= remark.severity === "error";
        const isOwn = this.#isOwn(remark.node.getSourceFile().fileName);
        this.add(isOwn ? remark : { ...remark, ...saidElsewhere(remark), node, position: undefined }, tool);
      },
      hasErrors: () => isRefused,
    };
  }

  /** Sorted by place. */
  list(): Diagnostic[] {
    return [...this.#diagnostics.values()].sort(
      (a, b) =>
        compare(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        compare(a.code + a.message, b.code + b.message),
    );
  }
}

/** An author has to find it in the other package. */
function saidElsewhere({ message, node, position }: Remark): Pick<Remark, "message"> {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(position ?? startOf(node, file));
  return { message: `${message} (${file.fileName}:${line + 1})` };
}

function toDiagnostic({ node, position, code, severity, message, fix }: Remark, tool: string | undefined): Diagnostic {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(position ?? startOf(node, file));
  return {
    code,
    severity,
    file: file.fileName,
    line: line + 1,
    column: character + 1,
    ...(tool !== undefined && { tool: bound(tool) }),
    message: bound(message),
    fix: bound(fix),
  };
}

/** A declaration is pointed at by its name. */
function startOf(node: ts.Node, file: ts.SourceFile): number {
  const name = ts.getNameOfDeclaration(node as ts.Declaration);
  return name !== undefined && name.getSourceFile() === file ? name.getStart(file) : node.getStart(file);
}

function bound(text: string): string {
  const shown = escapeHiddenText(text);
  return shown.length <= MAX_TEXT ? shown : `${shown.slice(0, MAX_TEXT - 1)}…`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
