/** The source of a class as any copy of core and any compiler of decorators leaves it. */
export function decoratedClass(body: string, methods: readonly object[]): string {
  const declared = methods.map((one) => ({ isStatic: false, contractVersion: 1, ...one }));
  return `class Tickets { ${body}
    static { Object.defineProperty(this, Symbol.for("Symbol.metadata"), {
      value: { [Symbol.for("@aiw/core/tool-methods")]: ${JSON.stringify(declared)} } }); } }`;
}
