/** Finds the word that a misspelt one was meant to be; undefined where none is near. */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: editDistance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)) || isBeginning(written, word))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

function isBeginning(written: string, word: string): boolean {
  return written.length >= 2 && word.startsWith(written.toLowerCase());
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(rows, row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? at(rows, row - 2, column - 2) + 1
          : Infinity;
      current.push(Math.min(at(rows, row - 1, column) + 1, (current[column - 1] ?? 0) + 1, replaced, swapped));
    }
    rows.push(current);
  }
  return at(rows, from.length, to.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
