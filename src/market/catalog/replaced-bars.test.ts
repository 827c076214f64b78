import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOwnFolders } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { HOUR, hours, START } from '../../../test/support/hourly-bars.ts';
import { DAY } from '../../kernel/index.ts';
import { openDatabase } from '../reading/database.ts';
import { mergeBars, replaceFile, writeSeriesFile } from './write.ts';

inOwnFolders();

describe('merged bars', () => {
  it('differ where any price, volume or additional column differs', () => {
    const one = hours('A', 0, 3, 3, 0.5);
    expect(mergeBars(one, hours('A', 0, 3, 3, 0.5)).differing).toEqual([]);
    expect(mergeBars(one, hours('A', 1, 1, 3, 0.6))).toMatchObject({ differing: [START + HOUR], changed: 1 });
    expect(mergeBars(one, hours('A', 2, 2, 2, 0.5)).differing).toEqual([START + 2 * HOUR]);
    const { series } = mergeBars(one, hours('A', 2, 2, 2, 0.7));
    expect([[...series.close], [...series.extra!.spread!]]).toEqual([
      [3, 3, 2, 2],
      [0.5, 0.5, 0.7, 0.7],
    ]);
  });
});

describe('a file that is replaced', () => {
  it('leaves no temporary file, and is an error if nothing was written', async () => {
    await replaceFile('a/b.txt', (beside) => writeFileSync(beside, 'new'));
    expect(readdirSync('a')).toEqual(['b.txt']);
    const error = await rejectionOf(replaceFile('a/b.txt', () => undefined));
    expect(error.code).toBe('file_unwritable');
  });

  it('contains the rows of a series, sorted by date', async () => {
    const rows = [2, 1].map((day) => ({ date: day * DAY, availableAt: (day + 1) * DAY, value: day / 2 }));
    await writeSeriesFile('s.parquet', 'G"D"P', rows);
    const database = await openDatabase();
    const found = await database.rows(
      `SELECT epoch_ms(date)::DOUBLE, epoch_ms(available_at)::DOUBLE, "G""D""P" FROM read_parquet('${path.resolve('s.parquet')}')`,
    );
    database.close();
    expect(found).toEqual([
      [DAY, 2 * DAY, 0.5],
      [2 * DAY, 3 * DAY, 1],
    ]);
  });
});
