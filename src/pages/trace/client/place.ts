/** Bars named in the address of the page. */
export interface Place {
  readonly bar: number;
  /** Bar of the decision that is compared with the selected one. */
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
