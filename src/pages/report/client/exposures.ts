import { percent } from '../../shared/number-formats.ts';
import { element } from '../../trace/client/folding.ts';
import type { PageData } from '../model/page-data.ts';
import { stackColour } from './theme.ts';
import type { ViewStore } from './view.ts';

/** Exposure at each point of the time chart, as fractions of equity. `null` if the exposure is unknown. */
export interface Exposures {
  readonly long: readonly (number | null)[];
  /** Short exposure, negative or zero. */
  readonly short: readonly (number | null)[];
  /** Returns the signed exposure of one symbol at each point. */
  of(symbol: number): (number | null)[];
  at(symbol: number, point: number): number;
  /**
   * Layers of the exposure chart: one for each of the `MOST_NAMED` symbols with the largest mean exposure,
   * then the remaining symbols combined. Empty for a single symbol.
   */
  readonly stack: readonly StackedSymbol[];
}

/** Layer of the exposure chart. `symbol` is `undefined` for layers that combine the remaining symbols. */
interface StackedSymbol {
  readonly symbol: number | undefined;
  /** Signed exposure at each point, as a fraction of equity. */
  readonly values: ArrayLike<number>;
  /** Mean of the absolute values of the exposure over all points. */
  readonly mean: number;
}

/** Maximum number of symbols with a separate layer. */
const MOST_NAMED = 6;

/**
 * Returns long and short exposure, and the exposure of each symbol. Reconstructs positions from fills and
 * splits. Then scales the exposures of the positions so that the sum of their absolute values equals the
 * gross exposure that the run recorded.
 */
export function exposuresOf(data: PageData): Exposures {
  const { times, symbols, exposure } = data;
  const units = new Float64Array(symbols.length);
  const closes = new Float64Array(symbols.length);
  const worth = new Float64Array(symbols.length).fill(1);
  const weights = symbols.map(() => new Float32Array(times.length));
  const [long, short]: [(number | null)[], (number | null)[]] = [[], []];
  let [fill, split] = [0, 0];
  for (let point = 0; point < times.length; point++) {
    for (; split < data.splits.length && data.splits[split]!.point <= point; split++)
      units[data.splits[split]!.symbol] = data.splits[split]!.quantity;
    for (; fill < data.fills.length && data.fills[fill]!.point <= point; fill++) {
      const { symbol, side, quantity, worth: own } = data.fills[fill]!;
      worth[symbol] = own;
      units[symbol]! += side === 'buy' ? quantity : -quantity;
    }
    let gross = 0;
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      closes[symbol] = data.prices[symbol]?.close[point] ?? closes[symbol]!;
      gross += Math.abs(units[symbol]! * closes[symbol]! * worth[symbol]!);
    }
    const whole = exposure[point] ?? null;
    let [up, down] = [0, 0];
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      const share =
        gross === 0 || whole === null
          ? 0
          : ((units[symbol]! * closes[symbol]! * worth[symbol]!) / gross) * whole;
      weights[symbol]![point] = share;
      if (share > 0) up += share;
      else down += share;
    }
    long.push(whole === null ? null : up);
    short.push(whole === null ? null : down);
  }
  return {
    long,
    short,
    of: (symbol) => Array.from(weights[symbol] ?? []),
    at: (symbol, point) => weights[symbol]?.[point] ?? 0,
    stack: stackOf(weights),
  };
}

function stackOf(weights: readonly Float32Array[]): StackedSymbol[] {
  if (weights.length < 2) return [];
  const sorted = weights
    .map((values, symbol) => ({ symbol, values, mean: meanSize(values) }))
    .filter(({ mean }) => mean > 0)
    .sort((a, b) => b.mean - a.mean);
  const [named, others] = [sorted.slice(0, MOST_NAMED), sorted.slice(MOST_NAMED)];
  // Long and short exposure of the remaining symbols are two layers. In a single layer, they would offset
  // each other.
  return [
    ...named,
    ...(others.length === 0
      ? []
      : [1, -1].map((sign) => {
          const values = Float32Array.from(weights[0]!, (_, point) =>
            others.reduce((sum, own) => sum + sign * Math.max(0, sign * own.values[point]!), 0),
          );
          return { symbol: undefined, values, mean: meanSize(values) };
        })
    ).filter(({ mean }) => mean > 0),
  ];
}

function meanSize(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += Math.abs(value);
  return values.length === 0 ? 0 : sum / values.length;
}

/**
 * Shows the key of the exposure pane: each layer with its mean exposure. Clicking an entry selects its
 * symbol.
 */
export function startExposureKey(data: PageData, exposures: Exposures | undefined, view: ViewStore): void {
  const place = document.getElementById('exposure-key');
  if (place === null || exposures === undefined) return;
  const { stack } = exposures;
  const rest = stack.filter(({ symbol }) => symbol === undefined);
  const entry = (tag: 'button' | 'span', name: string, mean: number, colour: string): HTMLElement => {
    const made = element(tag, { class: 'plain key block' }, `${name} ${percent(mean, 1)}`);
    made.style.setProperty('--key', colour);
    return made;
  };
  const named = stack.flatMap(({ symbol, mean }, at) => {
    if (symbol === undefined) return [];
    const name = data.symbols[symbol] ?? '';
    const button = entry('button', name, mean, stackColour(symbol, at));
    button.setAttribute('type', 'button');
    button.addEventListener('click', () => view.change({ symbol }));
    return [button];
  });
  const others =
    rest.length === 0
      ? []
      : [
          entry(
            'span',
            'others',
            rest.reduce((sum, { mean }) => sum + mean, 0),
            stackColour(undefined, 0),
          ),
        ];
  place.replaceChildren('Mean exposure: ', ...named, ...others);
}
