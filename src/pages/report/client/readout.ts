import { grouped, percent, ratio } from '../../shared/number-formats.ts';
import { element } from '../../trace/client/folding.ts';
import type { PageData } from '../model/page-data.ts';
import { dateText } from '../model/range.ts';
import type { Exposures } from './exposures.ts';

/** Text next to the chart that describes a point of the chart. */
export interface Readout {
  over(symbol: number, point: number): void;
  /** Shows the fills at a selected point and their reasons. */
  fills(symbol: number, point: number): void;
}

export function startReadout(data: PageData, exposures: () => Exposures | undefined): Readout {
  const line = document.getElementById('readout');
  const chosen = document.getElementById('chosen');
  const rolling = rollingByPoint(data);
  return {
    over(symbol, point) {
      if (line === null) return;
      const facts = factsAt(data, symbol, point, exposures(), rolling);
      line.replaceChildren(
        element('b', {}, dateText(data.times[point] ?? 0)),
        ...facts.map(([name, value]) => element('span', {}, element('i', {}, name), ' ', value)),
      );
    },
    fills(symbol, point) {
      if (chosen === null) return;
      const fills = data.fills.filter((fill) => fill.symbol === symbol && fill.point === point);
      const places = data.places[symbol] ?? 2;
      const items = fills.map(({ side, quantity, price, reason, ambiguous, bar, placed }) => {
        const ordered =
          placed === null || placed === bar
            ? ''
            : `, ordered on ${dateText(data.times[Math.floor(placed / data.barsPerPoint)] ?? 0)}`;
        const said = reason === '' ? ', without a reason' : `, because: ${reason}`;
        const doubt = ambiguous ? ' (ambiguous: not in every outcome of the bar)' : '';
        return element(
          'li',
          {},
          `${side === 'buy' ? 'Bought' : 'Sold'} ${quantity} at ${grouped(price, places)}${ordered}${said}${doubt}.`,
          linked(traceLink(data, placed, 'how it was decided'), traceLink(data, bar, 'the bar of the fill')),
        );
      });
      const title = element('strong', {}, dateText(data.times[point] ?? 0));
      chosen.replaceChildren(
        ...(items.length === 0
          ? [
              title,
              ': nothing was filled.',
              ...linked(traceLink(data, point * data.barsPerPoint, 'its trace')),
            ]
          : [title, element('ul', {}, items)]),
      );
    },
  };
}

/** Returns a link to a bar in the trace. `null` if there is no trace page, or if the bar is unknown. */
export function traceLink({ trace }: PageData, bar: number | null, text: string): HTMLElement | null {
  return trace === null || bar === null ? null : element('a', { href: `${trace}#bar=${bar}` }, text);
}

export function linked(...links: readonly (HTMLElement | null)[]): (HTMLElement | string)[] {
  return links.flatMap((link) => (link === null ? [] : [' ', link]));
}

type Fact = readonly [name: string, value: string];

function factsAt(
  data: PageData,
  symbol: number,
  at: number,
  exposures: Exposures | undefined,
  rolling: ReadonlyMap<number, number>,
): Fact[] {
  const prices = data.prices[symbol];
  const places = data.places[symbol] ?? 2;
  const price = (value: number | null | undefined): string => grouped(value ?? null, places);
  const close = prices?.close[at];
  const bar: Fact[] =
    prices === undefined
      ? []
      : close === null || close === undefined
        ? [['', 'no bar']]
        : [
            ['open', price(prices.open[at])],
            ['high', price(prices.high[at])],
            ['low', price(prices.low[at])],
            ['close', price(close)],
            ['volume', grouped(prices.volume[at] ?? null, 0)],
          ];
  const session = rolling.get(at);
  const figures = data.rolling;
  return [
    ...bar,
    ['equity', money(data.equity.close[at])],
    ...(data.benchmark === null ? [] : ([['benchmark', money(data.benchmark[at])]] as Fact[])),
    ['drawdown', percent(data.drawdown[at])],
    ['long', percent(exposures?.long[at], 1)],
    ['short', percent(exposures?.short[at], 1)],
    ...(data.symbols.length < 2
      ? []
      : ([[data.symbols[symbol] ?? '', percent(exposures?.at(symbol, at), 1)]] as Fact[])),
    ...(session === undefined || figures === null
      ? []
      : ([
          ['Sharpe', ratio(figures.sharpe[session])],
          ['volatility', percent(figures.volatility[session], 1)],
          ['beta', ratio(figures.beta[session])],
        ] as Fact[])),
  ];
}

/**
 * Formats an amount. An amount of 100,000 or more has no decimal places, because curve values have only seven
 * significant digits.
 */
function money(value: number | null | undefined): string {
  return grouped(value ?? null, Math.abs(value ?? 0) < 1e5 ? 2 : 0);
}

/**
 * Returns, for each point at which a session ends, the index of this session in the rolling figures. Other
 * points are omitted.
 */
function rollingByPoint({ rolling, times }: PageData): Map<number, number> {
  const found = new Map<number, number>();
  let point = 0;
  for (const [session, seconds] of (rolling?.times ?? []).entries()) {
    while (point + 1 < times.length && times[point + 1]! <= seconds) point += 1;
    found.set(point, session);
  }
  return found;
}
