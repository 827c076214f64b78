/** A period in instants, both ends included. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Returns the parts of a period that other periods do not cover. */
export function missingOf(wanted: Period, covered: readonly Period[]): Period[] {
  const missing: Period[] = [];
  let start = wanted.from;
  for (const { from, to } of [...covered].sort((a, b) => a.from - b.from)) {
    if (from > wanted.to) break;
    if (from > start) missing.push({ from: start, to: Math.min(from - 1, wanted.to) });
    start = Math.max(start, to + 1);
  }
  if (start <= wanted.to) missing.push({ from: start, to: wanted.to });
  return missing;
}
