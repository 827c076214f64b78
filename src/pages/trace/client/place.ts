/** What the address names. */
export interface Place {
  readonly bar: number;
  /** The bar whose decision it is compared with. */
  readonly before: number | undefined;
}

export function placeOfAddress(): Place | undefined {
  const [, bar, before] = /^#bar=(\d{1,9})(?:&with=(\d{1,9}))?$/.exec(location.hash) ?? [];
  if (bar === undefined) return undefined;
  return { bar: Number(bar), before: before === undefined ? undefined : Number(before) };
}

export function goTo(bar: number, before?: number): void {
  location.hash = before === undefined ? `bar=${bar}` : `bar=${bar}&with=${before}`;
}
