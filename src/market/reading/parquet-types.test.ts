import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, load } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { openDatabase } from './database.ts';

inOwnFolders();

/** Writes a Parquet file of bars whose `volume` is a column of the given SQL values. */
async function writeVolumes(values: readonly string[]): Promise<void> {
  const rows = values.map(
    (value, row) =>
      `SELECT DATE '2020-01-06' + ${row} AS date, 100.0 AS open, 102.0 AS high, 99.0 AS low, 101.0 AS close, ${value} AS volume`,
  );
  const database = await openDatabase();
  await database.run(`COPY (${rows.join(' UNION ALL ')} ORDER BY date) TO 'typed.parquet' (FORMAT parquet)`);
  database.close();
}

/** Volumes of a CSV file with these texts. */
async function volumesOfText(texts: readonly string[]): Promise<number[]> {
  const lines = texts.map(
    (text, row) => `2020-01-${String(6 + row).padStart(2, '0')},100,102,99,101,${text}`,
  );
  writeFileSync('text.csv', `date,open,high,low,close,volume\n${lines.join('\n')}\n`);
  const { market } = await load('text.csv');
  return Array.from(market.series[0]!.volume);
}

describe('numbers of a Parquet file', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'DOUBLE',
      ['0.1::DOUBLE', '1e-7::DOUBLE', '123456789.123456789::DOUBLE'],
      ['0.1', '1e-7', '123456789.123456789'],
    ],
    ['FLOAT', ['0.1::FLOAT', '16777217::FLOAT', '2.5::FLOAT'], ['0.1', '16777216', '2.5']],
    ['DECIMAL', ['0.10::DECIMAL(18,2)', '123456.78::DECIMAL(18,2)'], ['0.10', '123456.78']],
    ['TINYINT', ['7::TINYINT', '127::TINYINT'], ['7', '127']],
    ['UINTEGER', ['7::UINTEGER', '4294967295::UINTEGER'], ['7', '4294967295']],
    [
      'BIGINT',
      ['9007199254740993::BIGINT', '9223372036854775807::BIGINT'],
      ['9007199254740993', '9223372036854775807'],
    ],
    [
      'UBIGINT',
      ['9007199254740993::UBIGINT', '18446744073709551615::UBIGINT'],
      ['9007199254740993', '18446744073709551615'],
    ],
    ['VARCHAR', ["'12.50'", "' 7 '"], ['12.50', '7']],
  ])('are the same as those of their texts: %s', async (_, values, texts) => {
    await writeVolumes(values);
    const { market } = await load('typed.parquet');
    expect(Array.from(market.series[0]!.volume)).toEqual(await volumesOfText(texts));
  });

  it.each<[string, readonly string[], string]>([
    ['NaN', ['5::DOUBLE', "'nan'::DOUBLE"], 'typed.parquet row 2: volume "nan" is not a finite number'],
    [
      'infinite',
      ['5::DOUBLE', "'-inf'::DOUBLE"],
      'typed.parquet row 2: volume "-inf" is not a finite number',
    ],
    ['missing', ['5::BIGINT', 'NULL::BIGINT'], 'typed.parquet row 2: volume is empty'],
    ['a truth value', ['true', 'false'], 'typed.parquet row 1: volume "true" is not a number'],
    ['negative', ['5::BIGINT', '-5::BIGINT'], 'typed.parquet row 2: volume is -5, less than 0'],
  ])('are refused with their row if one is %s', async (_, values, message) => {
    await writeVolumes(values);
    expect((await rejectionOf(load('typed.parquet'))).message).toContain(message);
  });
});

describe('symbols and dates of a Parquet file', () => {
  it('belong to their rows, whether few or all of them are different', async () => {
    // In the first file, each of 3 symbols and 40 dates occurs often. In the second, all 120 texts differ.
    const bars = (symbol: string, day: string): string =>
      `COPY (SELECT ${symbol} AS symbol, DATE '2020-01-06' + ${day} AS date, i + 100.0 AS open, i + 102.0 AS high, i + 99.0 AS low, i + 101.0 AS close, i AS volume FROM range(120) AS r(i) ORDER BY i)`;
    const database = await openDatabase();
    await database.run(
      `${bars('chr((97 + i % 3)::INTEGER)', '(i // 3)::INTEGER')} TO 'few.parquet' (FORMAT parquet)`,
    );
    await database.run(`${bars("'x' || i", '0')} TO 'many.parquet' (FORMAT parquet)`);
    database.close();
    const few = (await load('few.parquet')).market;
    expect(few.symbols).toEqual(['A', 'B', 'C']);
    for (const [symbol, { time, volume }] of few.series.entries()) {
      expect(Array.from(volume)).toEqual(Array.from({ length: 40 }, (_, day) => day * 3 + symbol));
      expect(Array.from(time)).toEqual(Array.from({ length: 40 }, (_, day) => Date.UTC(2020, 0, 6 + day)));
    }
    const many = (await load('many.parquet')).market;
    expect(Object.fromEntries(many.series.map(({ symbol, volume }) => [symbol, volume[0]]))).toEqual(
      Object.fromEntries(Array.from({ length: 120 }, (_, row) => [`X${row}`, row])),
    );
  });
});
