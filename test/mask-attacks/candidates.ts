import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../src/kernel/index.ts';
import {
  type BarSeries,
  loadMarket,
  mapColumns,
  simulateMarket,
  tradingCalendar,
} from '../../src/market/index.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
/** Folder with real data next to the project. Optional. */
const SHARED = join(HERE, '../shared/data');
const CANDIDATES = 100;
const DAY = 86_400_000;
const BARS = 600;
const SHARE_DAYS = 148;

/**
 * Returns the data of a hundred symbols known to the attacker: real symbols if available, and simulated ones
 * on trading days of New York.
 */
export async function candidates(): Promise<BarSeries[]> {
  const names = existsSync(join(SHARED, 'djia')) ? readdirSync(join(SHARED, 'djia')) : [];
  const files = [
    join(HERE, 'data/spx-daily.csv'),
    ...names.map((name) => join(SHARED, 'djia', name)),
    ...['spy-daily.csv', 'goog-daily.csv']
      .map((name) => join(SHARED, name))
      .filter((file) => existsSync(file)),
  ];
  const real = (
    await Promise.all(files.map(async (file) => (await loadMarket({ paths: [file] })).market.series))
  ).flat();
  const long = real.filter(({ close }) => close.length >= 120);
  return [...long, ...Array.from({ length: CANDIDATES - long.length }, (_, index) => simulated(index))];
}

/**
 * Returns twenty shares over the same 148 days: the real shares of the Dow Jones if available, otherwise
 * simulated shares of different volatility.
 */
export async function twentyShares(): Promise<BarSeries[]> {
  const folder = join(SHARED, 'djia');
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const real = await Promise.all(
    files.map(async (file) => (await loadMarket({ paths: [file] })).market.series[0]!),
  );
  const shares = real.length === 20 ? real : Array.from({ length: 20 }, (_, index) => simulated(index));
  return shares.map((series) =>
    mapColumns({ ...series, interval: '1d' }, (column) =>
      column === series.time ? shares[0]!.time.slice(-SHARE_DAYS) : column.slice(-SHARE_DAYS),
    ),
  );
}

/** Simulates a series with prices in cents and a separate price level. */
function simulated(index: number): BarSeries {
  const random = createRandom(index, 'attacked');
  const [series] = simulateMarket({ seed: 1_000 + index, bars: BARS, symbols: [`SIM${index}`] }).series;
  const level = 0.05 * 60 ** random.next();
  const start = Date.UTC(2005, 0, 3) + random.integer(0, 4_000) * DAY;
  const { isSession } = newYork();
  const time = new Float64Array(BARS);
  for (let day = start, bar = 0; bar < BARS; day += DAY)
    if (isSession(Math.floor(day / DAY))) time[bar++] = day;
  const cents = (column: Float64Array): Float64Array =>
    column.map((value) => Math.max(0.01, Math.round(value * level * 100) / 100));
  const { open, high, low, close, volume } = series!;
  return {
    ...mapColumns(series!, (column) =>
      column === series!.time
        ? time
        : [open, high, low, close].includes(column)
          ? cents(column)
          : column === volume
            ? volume
            : column,
    ),
    symbol: `SIM${index}`,
  };
}

function newYork(): { isSession(day: number): boolean } {
  const calendar = tradingCalendar('XNYS');
  return { isSession: (day) => calendar.isSession(day) };
}
