// Makes the contracts beside it: node --import tsx data/made-up/futures/make.ts
import { writeFileSync } from 'node:fs';
import { barSeries, simulateMarket, toCsv } from '../../../src/market/index.ts';

const DAY = 86_400_000;
const [spot] = simulateMarket({ seed: 4, bars: 190, regime: 'trend', price: 400 }).series;
const quarter = (price: number): number => Math.round(price * 4) / 4;
const contracts = [
  ['FUTH0', '2000-03-17', '2000-03-10'],
  ['FUTM0', '2000-06-16', '2000-06-09'],
  ['FUTU0', '2000-09-15', '2000-09-08'],
] as const;

for (const [symbol, expiry] of contracts) {
  const last = Date.parse(expiry);
  const bars = Array.from(spot!.time, (time, bar) => {
    const days = (last - time) / DAY;
    // Six per cent a year dearer than today's price, until it expires.
    const carry = 1 + (0.06 * days) / 365;
    const price = (column: Float64Array): number => quarter(column[bar]! * carry);
    // Traded for half a year, most in its last three months but one week.
    const share = days > 98 ? 0.15 : days > 7 ? 1 : days / 7;
    return {
      time,
      days,
      open: price(spot!.open),
      high: price(spot!.high),
      low: price(spot!.low),
      close: price(spot!.close),
      volume: Math.round((spot!.volume[bar]! * share) / 100),
    };
  }).filter(({ days }) => days >= 0 && days <= 115);
  writeFileSync(new URL(`${symbol}.csv`, import.meta.url), toCsv(barSeries(symbol, bars)));
}
writeFileSync(
  new URL('expiries.csv', import.meta.url),
  `contract,expiry,roll\n${contracts.map((row) => row.join(',')).join('\n')}\n`,
);
