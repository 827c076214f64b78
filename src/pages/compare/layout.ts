/** Up to how many runs curves lie over each other, and up to how many each has a picture of its own. */
const MOST_OVERLAID = 4;
const MOST_MULTIPLES = 12;

/** Runs that a page can be seen from the side of each; beyond, the baseline is chosen where it is made. */
export const MOST_BASELINES = MOST_MULTIPLES;

export type Layout = 'overlay' | 'multiples' | 'many';

export function layoutOf(runs: number): Layout {
  return runs <= MOST_OVERLAID ? 'overlay' : runs <= MOST_MULTIPLES ? 'multiples' : 'many';
}
