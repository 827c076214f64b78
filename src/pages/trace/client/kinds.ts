import type { StepKind } from '../step.ts';
import { element } from './dom.ts';

/**
 * Appearance of a kind of decision: its name, its letter in `acts`, and its shape as a path in a 10 × 10
 * square.
 */
export interface KindLook {
  readonly name: string;
  readonly act: string;
  readonly path: string;
  /** Name of the colour variable in the style sheet. */
  readonly colour: 'up' | 'down' | 'second' | 'bad' | 'soft';
}

/**
 * Kinds in the order of the lane's rows. Shape and position show the kind as well, so that colour is not
 * required.
 */
export const LANE_KINDS = ['buy', 'sell', 'refused', 'error', 'hold'] as const satisfies readonly StepKind[];

export const LOOKS: Readonly<Record<StepKind, KindLook>> = {
  buy: { name: 'bought', act: 'b', path: 'M5 1 9.5 9 .5 9Z', colour: 'up' },
  sell: { name: 'sold', act: 's', path: 'M.5 1 9.5 1 5 9Z', colour: 'down' },
  refused: { name: 'refused', act: 'r', path: 'M1 1H9V9H1ZM3 3V7H7V3Z', colour: 'second' },
  error: {
    name: 'error',
    act: 'e',
    path: 'M2 .5 5 3.5 8 .5 9.5 2 6.5 5 9.5 8 8 9.5 5 6.5 2 9.5 .5 8 3.5 5 .5 2Z',
    colour: 'bad',
  },
  hold: { name: 'held', act: 'h', path: 'M1 4H9V6H1Z', colour: 'soft' },
  market: {
    name: 'the market',
    act: '',
    path: 'M5 2.5A2.5 2.5 0 1 0 5 7.5 2.5 2.5 0 1 0 5 2.5Z',
    colour: 'soft',
  },
};

const SVG = 'http://www.w3.org/2000/svg';

/** Returns the shape of a kind, with its name for screen readers. */
export function kindIcon(kind: StepKind, named = true): HTMLElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 10 10');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', LOOKS[kind].path);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return element(
    'span',
    { class: `kind ${kind}` },
    svg,
    named ? element('span', { class: 'unseen' }, LOOKS[kind].name) : null,
  );
}
