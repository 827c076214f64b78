import type { PageData, SessionColumns, TradeRow } from '../../src/pages/report/model/page-data.ts';

const DAY = 86_400;
/** Days of the sketch's sessions: two of December, and four of January without a weekend. */
export const DAYS = ['2019-12-30', '2019-12-31', '2020-01-01', '2020-01-02', '2020-01-03', '2020-01-06'];

export const secondsAt = (session: number): number =>
  session < DAYS.length
    ? Date.parse(DAYS[session]!) / 1000
    : Date.parse(DAYS.at(-1)!) / 1000 + (session - DAYS.length + 1) * DAY;

export function tradeSketch(id: number, own: Partial<TradeRow>): TradeRow {
  const [exitTime, net, commission] = [own.exitTime ?? null, own.net ?? 0, own.commission ?? 0];
  return {
    ...{ id, symbol: 0, side: 'long', quantity: 10, entryBar: 0, entryTime: secondsAt(0), entryPrice: 50 },
    ...{ notional: 500, exitBar: null, exitTime, exitPrice: 60, gross: net + commission, commission, net },
    ...{ reason: 'signal', entryReason: 'crossed above', adverse: -0.0123, favourable: 0.0456 },
    ...own,
  } as TradeRow;
}

/** Returns data of a page with sessions of one bar. The initial cash is 1,000. */
export function pageSketch(
  sessions: Partial<SessionColumns> & { readonly equity: readonly number[] },
  own: { rows?: readonly TradeRow[]; symbols?: readonly string[]; terms?: Partial<PageData['terms']> } = {},
): PageData {
  const zeros = sessions.equity.map(() => 0);
  return {
    symbols: ['AAA', 'BBB'],
    rows: [],
    ...own,
    terms: {
      ...{ periodsPerYear: 252, riskFree: 0, acceptable: 0, initialCash: 1000, startsBefore: false },
      ...{ intraday: false, barsEnd: false, benchmark: 'held', isJudged: true },
      ...own.terms,
    },
    sessions: {
      ...{ time: zeros.map((_, at) => secondsAt(at)), first: null, inside: null, benchmark: null },
      ...{ exposure: zeros, notional: zeros, commission: zeros, slippage: zeros, cash: [] },
      ...{ volume: { session: [], share: [] } },
      ...sessions,
    },
  } as unknown as PageData;
}

/** Returns the texts of the cells of each table row. */
export function cellsIn(page: string): string[][] {
  return [...page.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => textIn(cell!)),
  );
}

/** Returns a page's text without its elements. */
export function textIn(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");
}
