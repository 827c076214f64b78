import { element } from '../../trace/client/dom.ts';
import type { PageData } from './data.ts';

/** Says in words what is drawn at a point of the chart. */
export interface Readout {
  /** The candle under the pointer; nothing where there is none. */
  over(symbol: number, point: number | undefined): void;
  /** What was filled at a chosen point, and why. */
  fills(symbol: number, point: number): void;
  trade(row: HTMLTableRowElement): void;
}

export function startReadout(data: PageData): Readout {
  const line = document.getElementById('readout');
  const chosen = document.getElementById('chosen');
  const traceLink = (bar: number, text: string): HTMLElement | null =>
    data.trace === null ? null : element('a', { href: `${data.trace}#bar=${bar}` }, text);
  const linked = (links: readonly (HTMLElement | null)[]): (HTMLElement | string)[] =>
    links.flatMap((link) => (link === null ? [] : [' ', link]));
  return {
    over(symbol, point) {
      if (line === null) return;
      line.textContent = point === undefined ? '' : candleText(data, symbol, point);
    },
    fills(symbol, point) {
      if (chosen === null) return;
      const fills = data.fills.filter((fill) => fill.symbol === symbol && fill.point === point);
      const items = fills.map(({ side, quantity, price, reason, ambiguous, bar, placed }) => {
        const links = linked([
          placed === null ? null : traceLink(placed, 'how it was decided'),
          traceLink(bar, 'the bar of the fill'),
        ]);
        const ordered = placed === null || placed === bar ? '' : `, ordered on ${dateOf(data, placed)}`;
        const said = reason === '' ? ', without a reason' : `, because: ${reason}`;
        const doubt = ambiguous ? ' (ambiguous: not in every outcome of the bar)' : '';
        return element(
          'li',
          {},
          `${side === 'buy' ? 'Bought' : 'Sold'} ${quantity} at ${number(price)}${ordered}${said}${doubt}.`,
          links,
        );
      });
      const title = element('strong', {}, pointDate(data, point));
      chosen.replaceChildren(
        ...(items.length === 0
          ? [title, ': nothing was filled.', ...linked([traceLink(point * data.barsPerPoint, 'its trace')])]
          : [title, element('ul', {}, items)]),
      );
    },
    trade(row) {
      if (chosen === null) return;
      const text = (cell: number): string => row.cells[cell]?.textContent ?? '';
      const because = (reason: string): string => (reason === '' ? 'without a reason' : `because: ${reason}`);
      const [entryBar, exitBar] = [Number(row.dataset.bar), row.dataset.exit];
      const placed = data.fills.find((fill) => fill.bar === entryBar && fill.placed !== null)?.placed;
      const ended =
        text(7) === ''
          ? `${text(9)}, last price ${text(8)}`
          : `Out ${text(7)} at ${text(8)}, ${because(text(9))}`;
      chosen.replaceChildren(
        element('strong', {}, `Trade ${text(0)}: ${text(2)} ${text(3)} ${text(1)}`),
        element(
          'ul',
          {},
          element(
            'li',
            {},
            `In ${text(4)} at ${text(5)}, ${because(text(6))}.`,
            linked([
              placed === undefined || placed === null ? null : traceLink(placed, 'how it was decided'),
              traceLink(entryBar, 'the bar of the entry'),
            ]),
          ),
          element(
            'li',
            {},
            `${ended}.`,
            linked([exitBar === undefined ? null : traceLink(Number(exitBar), 'the bar of the exit')]),
          ),
          element('li', {}, `Net ${text(10)}, ${text(11)} of the entry.`),
        ),
      );
    },
  };
}

function candleText(data: PageData, symbol: number, point: number): string {
  const prices = data.prices[symbol];
  const [open, high, low, close] = [prices?.open, prices?.high, prices?.low, prices?.close].map(
    (column) => column?.[point] ?? null,
  );
  const candle =
    close === null || close === undefined
      ? 'no bar'
      : `open ${number(open)}  high ${number(high)}  low ${number(low)}  close ${number(close)}  volume ${number(prices?.volume[point])}`;
  const fall = data.drawdown[point] ?? 0;
  return `${pointDate(data, point)}  ${candle}  equity ${number(data.equity.close[point])}${fall < 0 ? `  ${(fall * 100).toFixed(1).replace('-', '−')}% from its high` : ''}`;
}

function pointDate(data: PageData, point: number): string {
  return dateText(data.times[point] ?? 0);
}

function dateOf(data: PageData, bar: number): string {
  return dateText(data.times[Math.floor(bar / data.barsPerPoint)] ?? 0);
}

function dateText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}

function number(value: number | null | undefined): string {
  return value === null || value === undefined
    ? '–'
    : value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1000 ? 2 : 6 });
}
