export const MISSING = '–';

/** A fraction as a percentage: 0.0523 is 5.23%. */
export function percent(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return `${(value * 100)
    .toFixed(places)
    .replace(/^-0(\.0+)?$/, (text) => text.slice(1))
    .replace('-', '−')}%`;
}

/** Which way a number goes; whether that is good is said by the verdict alone, which the page's style follows. */
export function tone(value: number | string | null): 'gain' | 'loss' | 'even' {
  const number = Number(value ?? 0);
  return number > 0 ? 'gain' : number < 0 ? 'loss' : 'even';
}
