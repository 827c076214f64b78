import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { loadFeatures } from '../index.ts';
import { downloadFred, FRED } from './fred.ts';
import { Http, type Request } from './http.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-fred-'));
afterAll(() => rmSync(out, { recursive: true }));
const REAL = new Http({ provider: 'fred', baseUrl: '', spacing: 0, environment: { FRED_API_KEY: 'secret' } });
const PERIOD = { from: Date.UTC(2020, 0, 1), to: Date.UTC(2020, 11, 31, 12) };

function clientOf(...replies: (string | { readonly status: number; readonly text: string })[]) {
  const requests: Request[] = [];
  const http = Object.assign(Object.create(REAL) as Http, {
    key: REAL.key.bind(REAL),
    failed: REAL.failed.bind(REAL),
    refused: REAL.refused.bind(REAL),
    get: async (wanted: Request) => {
      requests.push(wanted);
      const next = replies.shift()!;
      return { sha256: '', ...(typeof next === 'string' ? { status: 200, text: next } : next) };
    },
  });
  return { http, requests };
}
const reply = (count: number, ...rows: [date: string, start: string, value: string][]) =>
  JSON.stringify({
    count,
    observations: rows.map(([date, realtime_start, value]) => ({ date, realtime_start, value })),
  });

describe('a series of FRED', () => {
  it('is requested in parts of 100,000 values, visible after their publication day', async () => {
    const first = reply(200_000, ['2020-01-01', '2020-02-10', '1.5'], ['2020-02-01', '2020-03-10', '.']);
    const second = reply(200_000, ['2020-01-01', '2020-05-04', '-2']);
    const { http, requests } = clientOf(first, second);
    const { file, values } = await downloadFred('GdpC1', PERIOD, out, http);
    expect([file, values]).toEqual([join(out, 'source=fred', 'GDPC1.parquet'), 2]);
    const query = {
      ...{
        series_id: 'GdpC1',
        file_type: 'json',
        observation_start: '2020-01-01',
        observation_end: '2020-12-31',
      },
      ...{ realtime_start: '1776-07-04', realtime_end: '9999-12-31', limit: '100000' },
    };
    expect(requests).toEqual(
      ['0', '100000'].map((offset) => ({
        ...{ path: '/fred/series/observations', query: { ...query, offset }, expected: [400, 404] },
        secret: { api_key: 'secret' },
      })),
    );
    const { tables } = await loadFeatures({ paths: [file] });
    expect(tables[0]!.columns[0]).toEqual({ name: 'gdpc1', type: 'number', values: [1.5, -2] });
    expect(tables[0]!.dates.map(({ instant }) => instant)).toEqual([
      Date.UTC(2020, 0, 1),
      Date.UTC(2020, 0, 1),
    ]);
    // In winter a day in Chicago ends at 06:00 UTC of the next day. The same time is used in summer, when the
    // day ends at 05:00 UTC.
    expect(tables[0]!.known.map((stamp) => stamp!.instant)).toEqual([
      Date.UTC(2020, 1, 11, 6),
      Date.UTC(2020, 4, 5, 6),
    ]);
    const text = readFileSync(file.replace('.parquet', '.manifest.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({
      ...{ schema: 1, source: 'fred', query, time: expect.any(String), values: 2 },
      sha256: createHash('sha256').update(first).update(second).digest('hex'),
    });
    expect(text.endsWith('}\n')).toBe(true);
    expect([FRED.spacing, FRED.keys]).toEqual([500, ['FRED_API_KEY']]);
  });

  it('of exactly 100,000 values needs one request, and one value more needs two', async () => {
    const { http, requests } = clientOf(reply(100_000, ['2020-01-01', '2020-02-10', '1']), reply(0));
    await downloadFred('X', PERIOD, out, http);
    expect(requests).toHaveLength(1);
    const more = clientOf(
      reply(100_001, ['2020-01-01', '2020-02-10', '1']),
      reply(100_001, ['2020-01-02', '2020-02-10', '1']),
    );
    await downloadFred('X', PERIOD, out, more.http);
    expect(more.requests).toHaveLength(2);
  });

  it('is refused with a wrong key, an unknown name or unreadable values', async () => {
    const ask = (text: string, status = 200) =>
      rejectionOf(downloadFred('X', PERIOD, out, clientOf({ status, text }).http));
    expect((await ask('Bad Request. The value for variable api_key is not registered.', 400)).message).toBe(
      'fred: the key is not accepted.',
    );
    expect((await ask('The series does not exist.', 404)).message).toBe('fred: unknown series X.');
    for (const row of [
      ['soon', '2020-02-10', '1'],
      ['2020-01-01', 'soon', '1'],
      ['2020-01-01', '2020-02-10', 'x'],
    ] as [string, string, string][])
      expect((await ask(reply(1, row))).message).toBe(
        `fred: an unreadable observation (${row[0]} ${row[2]}).`,
      );
  });
});
