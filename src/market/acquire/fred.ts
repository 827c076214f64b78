import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DAY, formatInstant, parseInstant } from '../../kernel/index.ts';
import { writeSeriesFile } from '../index.ts';
import type { Http } from './http.ts';
import { readJson } from './provider.ts';

const KEY = 'FRED_API_KEY';
const AT_ONCE = 100_000;

export const FRED = {
  name: 'fred',
  keys: [KEY],
  spacing: 500,
  baseUrl: 'https://api.stlouisfed.org',
} as const;

const answer = z.object({
  count: z.number(),
  observations: z.array(z.object({ realtime_start: z.string(), date: z.string(), value: z.string() })),
});

export interface DownloadedSeries {
  readonly file: string;
  readonly values: number;
}

/**
 * Downloads a FRED series with all its vintages (first published and revised values) and their publication
 * days. Writes one file for `--features` and a manifest. A value becomes visible at the end of its
 * publication day in Chicago.
 *
 * @throws AppError `download_refused` for a wrong key or an unknown series, `download_failed` if the server
 *   stays unavailable or sends an unreadable response, `file_unwritable`
 */
export async function downloadFred(
  id: string,
  period: { readonly from: number; readonly to: number },
  out: string,
  http: Http,
): Promise<DownloadedSeries> {
  const rows: { date: number; availableAt: number; value: number }[] = [];
  const query = {
    series_id: id,
    file_type: 'json',
    observation_start: formatInstant(period.from).slice(0, 10),
    observation_end: formatInstant(period.to).slice(0, 10),
    realtime_start: '1776-07-04',
    realtime_end: '9999-12-31',
    limit: String(AT_ONCE),
  };
  const hash = createHash('sha256');
  for (let offset = 0; ; offset += AT_ONCE) {
    const reply = await http.get({
      path: '/fred/series/observations',
      query: { ...query, offset: String(offset) },
      secret: { api_key: http.key(KEY) },
      expected: [400, 404],
    });
    if (reply.status !== 200)
      throw http.refused(
        /api_key/i.test(reply.text) ? 'the key is not accepted' : `unknown series ${id}`,
        `Check the name of the series, and ${KEY}.`,
      );
    hash.update(reply.text);
    const { count, observations } = readJson(reply.text, answer, http);
    for (const { date, realtime_start, value } of observations) {
      // FRED writes `.` for a day without a value.
      if (value === '.') continue;
      const [about, published] = [parseInstant(date), parseInstant(realtime_start)];
      const number = Number(value);
      if (about === undefined || published === undefined || !Number.isFinite(number))
        throw http.failed(`an unreadable observation (${date} ${value})`);
      rows.push({ date: about, availableAt: published + DAY + 6 * 3_600_000, value: number });
    }
    if (offset + AT_ONCE >= count) break;
  }
  const file = path.join(out, 'source=fred', `${id.toUpperCase()}.parquet`);
  await writeSeriesFile(file, id.toLowerCase(), rows);
  const manifest = {
    schema: 1,
    source: 'fred',
    query,
    time: new Date().toISOString(),
    values: rows.length,
    sha256: hash.digest('hex'),
  };
  writeFileSync(file.replace(/parquet$/, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { file, values: rows.length };
}
