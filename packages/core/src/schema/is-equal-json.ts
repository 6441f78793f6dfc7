type Members = Readonly<Record<string, unknown>>;

/** True when two values that were read from JSON say the same, whatever the order of members: their canonical JSON is equal. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return false;
  return Array.isArray(one) === Array.isArray(other) && areMembersEqual(one as Members, other as Members);
}

/** Makes no list of names: those of thousands of objects would be most of the work. */
function areMembersEqual(one: Members, other: Members): boolean {
  let more = 0;
  for (const key in one) {
    // A name such as `__proto__` must not find what no text said.
    if (!Object.hasOwn(other, key)) return false;
    const a = one[key];
    const b = other[key];
    if (a !== b && !isEqualJson(a, b)) return false;
    more += 1;
  }
  for (const _key in other) more -= 1;
  return more === 0;
}
