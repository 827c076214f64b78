/** Maximum numbers of runs: for curves in one chart, and for a separate picture per run. */
const MOST_OVERLAID = 4;
const MOST_MULTIPLES = 12;

/**
 * Maximum number of runs for which the page can switch the baseline. With more runs, the baseline is chosen
 * when the page is created.
 */
export const MOST_BASELINES = MOST_MULTIPLES;

export type Layout = 'overlay' | 'multiples' | 'many';

export function layoutOf(runs: number): Layout {
  return runs <= MOST_OVERLAID ? 'overlay' : runs <= MOST_MULTIPLES ? 'multiples' : 'many';
}
