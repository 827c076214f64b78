import { AppError, formatInstant, parseInstant } from '../../kernel/index.ts';
import {
  addInterval,
  type Bar,
  barSeries,
  checkSeries,
  parseInterval,
  readManifest,
  symbolFolder,
  writeToCatalog,
} from '../index.ts';
import type { Http } from './http.ts';
import type { Page, Provider } from './provider.ts';

interface Download {
  readonly provider: Provider;
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
  readonly interval: string;
  /** Root folder of the catalogue: the folder that stores downloaded bars and their manifests. */
  readonly out: string;
  readonly now: number;
}

export interface Downloaded {
  readonly folder: string;
  readonly added: number;
  readonly revised: number;
  readonly requests: number;
}

/**
 * Number of received bars after which they are written to the catalogue. A killed process loses the bars that
 * are not yet written.
 */
const FLUSH = 50_000;

/**
 * Downloads the missing bars of one symbol into a catalogue. Bars received before a failed request are also
 * written to the catalogue. A repeated call then requests only the bars that are still missing.
 *
 * @throws AppError `download_refused` if a retry cannot help, `download_failed` if the provider stays
 *   unavailable, `bad_data` if a response contains invalid bars
 */
export async function downloadBars(download: Download, http: Http): Promise<Downloaded> {
  const { provider, symbol, interval, out, now } = download;
  const length = parseInterval(interval);
  // Latest time of a complete bar. The bar in progress is not requested now; a later download requests it.
  const ended = addInterval(now, length, -1);
  const folder = symbolFolder(out, interval, symbol.toUpperCase());
  const before = readManifest(folder)?.obtained ?? [];
  const covered = before
    .filter(({ source }) => source === provider.name)
    .map(({ from, to }) => ({ from: parseInstant(from)!, to: parseInstant(to)! }));
  const total = { folder, added: 0, revised: 0, requests: 0 };
  let waiting: Page[] = [];
  const flush = async (): Promise<void> => {
    const pages = waiting;
    waiting = [];
    if (pages.length === 0) return;
    const change = await store(download, pages);
    total.added += change.added;
    total.revised += change.revised;
  };
  for (const gap of missingOf({ from: download.from, to: Math.min(download.to, ended) }, covered)) {
    try {
      for await (const page of provider.pages({ symbol, ...gap, interval, length }, http)) {
        total.requests += 1;
        const to = Math.min(page.to, gap.to);
        waiting.push({ ...page, to, bars: page.bars.filter(({ time }) => time >= page.from && time <= to) });
        if (waiting.reduce((sum, { bars }) => sum + bars.length, 0) >= FLUSH) await flush();
      }
    } finally {
      await flush();
    }
  }
  return total;
}

async function store(
  { provider, symbol, interval, out }: Download,
  pages: readonly Page[],
): Promise<{ readonly added: number; readonly revised: number }> {
  const byTime = new Map<number, Bar>();
  for (const { bars } of pages) for (const bar of bars) byTime.set(bar.time, bar);
  const bars = [...byTime.values()].sort((a, b) => a.time - b.time);
  const series = { ...barSeries(symbol.toUpperCase(), bars), interval };
  try {
    checkSeries([series]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `${provider.name} returned invalid bars. ${error.message}`;
    throw new AppError({
      code: error.code,
      message,
      hint: 'No bars were saved. Exclude these days, or use another source.',
      cause: error,
    });
  }
  const time = new Date().toISOString();
  const obtained = pages.map(({ from, to, query, sha256, bars }) => {
    return {
      source: provider.name,
      query: { ...query },
      time,
      from: stamp(from),
      to: stamp(to),
      bars: bars.length,
      sha256,
    };
  });
  return writeToCatalog(out, series, obtained);
}

function stamp(instant: number): string {
  return formatInstant(instant);
}

/** Period from `from` to `to`, both included. Values are UTC milliseconds since 1970. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/** Returns the parts of `wanted` that no period of `covered` contains. */
export function missingOf(wanted: Period, covered: readonly Period[]): Period[] {
  const missing: Period[] = [];
  let start = wanted.from;
  for (const { from, to } of [...covered].sort((a, b) => a.from - b.from)) {
    if (from > wanted.to) break;
    if (from > start) missing.push({ from: start, to: Math.min(from - 1, wanted.to) });
    start = Math.max(start, to + 1);
  }
  if (start <= wanted.to) missing.push({ from: start, to: wanted.to });
  return missing;
}
