import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, load } from '../../../test/support/data-folder.ts';
import { inDepth } from '../../../test/support/depth.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { openDatabase } from './database.ts';

inOwnFolders();

const MAGIC = Buffer.from('PAR1');

/** Bytes of a Parquet file of five bars. */
async function goodFile(): Promise<Buffer> {
  const database = await openDatabase();
  await database.run(
    "COPY (SELECT DATE '2020-01-06' + i::INTEGER AS date, 100 AS open, 102 AS high, 99 AS low, 101 AS close, 5 AS volume FROM range(5) AS r(i)) TO 'good.parquet' (FORMAT parquet)",
  );
  database.close();
  return readFile('good.parquet');
}

describe('a Parquet file', () => {
  it.each<[string, Buffer]>([
    ['the magic number alone', MAGIC],
    ['no metadata', Buffer.concat([MAGIC, Buffer.alloc(100), MAGIC])],
    ['metadata of 2 GB', Buffer.concat([MAGIC, Buffer.alloc(100), Buffer.from([255, 255, 255, 127]), MAGIC])],
    [
      'encrypted metadata',
      Buffer.concat([MAGIC, Buffer.alloc(100), Buffer.from([20, 0, 0, 0]), Buffer.from('PARE')]),
    ],
  ])('with %s is refused with its name', async (_, bytes) => {
    writeFileSync('bad.parquet', bytes);
    expect((await rejectionOf(load('bad.parquet'))).message).toContain(
      'bad.parquet: the file cannot be read as Parquet',
    );
  });

  it.runIf(inDepth(6))(
    'that is truncated, or whose metadata is overwritten, is refused or read without a crash',
    async () => {
      const good = await goodFile();
      const metadata = good.length - 8 - good.readUInt32LE(good.length - 8);
      const damaged = [10, good.length >> 1, good.length - 1].map((length) => good.subarray(0, length));
      for (let at = metadata; at < good.length - 8; at += 7)
        for (const byte of [0, 127, 255]) {
          const copy = Buffer.from(good);
          // Overwrites bytes of the metadata. Row counts and page sizes, for example, become negative or
          // huge.
          copy.fill(byte, at, at + 3);
          damaged.push(copy);
        }
      let refused = 0;
      for (const bytes of damaged) {
        writeFileSync('bad.parquet', bytes);
        const error = await load('bad.parquet').then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) continue;
        refused += 1;
        expect(error).toMatchObject({ code: 'bad_data' });
      }
      expect(refused).toBeGreaterThan(damaged.length / 2);
    },
  );
});
