import type { StepKind } from '../step.ts';
import { element } from './dom.ts';

/** What a kind of decision is called, its letter among a step's acts, and its shape in a square of 10. */
export interface KindLook {
  readonly name: string;
  readonly act: string;
  readonly path: string;
  /** The token of its colour. */
  readonly colour: 'up' | 'down' | 'second' | 'bad' | 'soft';
}

/** In the order of the lane's rows: shape and place say the same as the colour. */
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

/** The shape of a kind, with its name for those who do not see it. */
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
