/** Every code a diagnostic can have, and what it says. */
export const DIAGNOSTIC_CODES = {
  type_unsupported: "JSON has no such value.",
  type_unresolved:
    "The compiler does not know the type: a missing import, a misspelt name, or a parameter of a generic.",
  type_unknown: "Any value is admitted, so that a model learns nothing.",
  type_never: "No value is admitted.",
  type_too_deep: "The type nests too deeply, or grows without end.",
  type_too_large: "The type has more members than a model can be shown.",
  class_as_data: "A plain object arrives where the code expects an instance.",
  date_ambiguous: "Nothing tells a date from another text at this place.",
  member_left_out: "The member cannot be written in JSON and is not offered.",
  constraint_invalid: "A documented constraint cannot be used on its type.",
  constraint_unknown: "A documented constraint is not checked by anybody.",
  default_invalid: "A documented default or example does not pass its own schema.",
} as const;

/** One of {@link DIAGNOSTIC_CODES}. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
