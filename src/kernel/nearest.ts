/**
 * Returns the word of a list that needs the fewest changed letters to match a misspelt word. Ignores case.
 *
 * @returns `undefined` if every word differs in more than a third of its letters
 */
export function nearest(word: string, among: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of among) {
    const other = plain(candidate);
    const within = wanted.length > 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const distance = within ? 1 : editDistance(wanted, other);
    if (distance < least && distance <= Math.max(1, Math.max(wanted.length, other.length) / 3)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Returns the Levenshtein distance: number of inserted, deleted or changed letters. */
export function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + same));
    }
    above = current;
  }
  return above[right.length]!;
}
