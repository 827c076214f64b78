/** Line of a difference: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Maximum number of changes. Texts with more changes are shown as completely different. */
const MOST_CHANGES = 800;

/**
 * Returns the differences between two texts by line, with the minimum number of changes.
 *
 * Source: E. W. Myers, An O(ND) difference algorithm and its variations, Algorithmica 1 (1986), figure 2.
 */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const same = (texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind: 'same', text }));
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...same(before.slice(oldEnd)),
  ];
}

function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const trail = furthest(before, after);
  if (trail === undefined)
    return [
      ...before.map((text): DiffLine => ({ kind: 'gone', text })),
      ...after.map((text): DiffLine => ({ kind: 'new', text })),
    ];
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = trail.length - 1; changes >= 0; changes--) {
    const reached = trail[changes]!;
    const diagonal = x - y;
    const isDown = goesDown(reached, diagonal, changes);
    const from = reached.get(isDown ? diagonal + 1 : diagonal - 1) ?? 0;
    const fromY = from - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > Math.max(from, 0) && y > Math.max(fromY, 0)) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: before[x]! });
    }
    if (changes === 0) break;
    if (isDown) lines.push({ kind: 'new', text: after[--y]! });
    else lines.push({ kind: 'gone', text: before[--x]! });
  }
  return lines.reverse();
}

function goesDown(reached: ReadonlyMap<number, number>, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1);
}

/**
 * Returns the furthest point reached on each diagonal, by number of changes. Undefined if more than
 * `MOST_CHANGES` are necessary.
 */
function furthest(before: readonly string[], after: readonly string[]): Map<number, number>[] | undefined {
  const reached = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  const most = Math.min(before.length + after.length, MOST_CHANGES);
  for (let changes = 0; changes <= most; changes++) {
    trail.push(new Map(reached));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = goesDown(reached, diagonal, changes)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trail;
    }
  }
  return undefined;
}
