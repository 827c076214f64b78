import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { sandtable } from '../../../test/support/sandtable.ts';
import { addSettingsFlags } from './settings-flags.ts';

/** Size of an unpacked file in bytes. The tests limit it to 2 MB with `--max-unpacked`. */
const BYTES = 4 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'sandtable-bombs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

/**
 * Header and one row of a valid file for each flag that reads a table. The test repeats the row up to 4 MB.
 */
const FILES = {
  '--data': ['date,open,high,low,close,volume', '2024-01-02,10,11,9,10,1000'],
  '--fx': ['date,open,high,low,close,volume', '2024-01-02,10,11,9,10,1000'],
  '--detail': ['date,open,high,low,close,volume', '2024-01-02,10,11,9,10,1000'],
  '--context': ['date,open,high,low,close,volume', '2024-01-02,10,11,9,10,1000'],
  '--benchmark': ['date,open,high,low,close,volume', '2024-01-02,10,11,9,10,1000'],
  '--actions': ['symbol,date,kind,amount', 'ACME,2024-01-02,dividend,1'],
  '--rolls': ['symbol,date,from,to,from_price,to_price', 'ACME,2024-01-02,A,B,1,2'],
  '--funding': ['symbol,date,rate', 'ACME,2024-01-02,0.1'],
  '--features': ['date,available_at,inflation', '2024-01-02,2024-01-02,0.1'],
  '--documents': ['id,available_at,title', 'n1,2024-01-02,x'],
  '--fundamentals': ['symbol,field,period_end,available_at,value', 'ACME,eps,2024-01-02,2024-01-02,1'],
  '--instruments': ['symbol,multiplier', 'ACME,50'],
  '--universe': ['symbol,from,to', 'ACME,2024-01-01,2024-02-01'],
  '--calendar': ['date,closes', '2024-01-02,16:00'],
} as const;

/** Flags with a placeholder such as `<file>` that do not read a table. */
const NO_TABLES = ['--settings', '--bar-times'];

describe('a gzip bomb', () => {
  it('is tested with every flag that reads a table', () => {
    const command = addSettingsFlags(new Command());
    const flags = command.options
      .filter(({ flags: text }) => /<(file|path|which)(\.\.\.)?>/.test(text))
      .map(({ long }) => long);
    expect(flags.filter((flag) => !(flag! in FILES) && !NO_TABLES.includes(flag!))).toEqual([]);
  });

  it.each(Object.entries(FILES))(
    'in %s is refused with its name and the limit',
    async (flag, [header, row]) => {
      writeFileSync(
        file('acme.csv'),
        'date,open,high,low,close,volume\n2024-01-02,10,11,9,10,1000\n2024-01-03,10,11,9,10,1000\n',
      );
      const name = flag === '--fx' ? 'EURUSD.csv.gz' : `bomb${flag}.csv.gz`;
      const bomb = file(name);
      writeFileSync(bomb, gzipSync(`${header}\n${`${row}\n`.repeat(BYTES / row.length)}`));
      expect(statSync(bomb).size).toBeLessThan(BYTES / 50);
      const data = flag === '--data' ? [] : ['--data', file('acme.csv')];
      const command = ['run', 'strategies/sma-cross.ts', ...data, flag, bomb, '--max-unpacked', '2'];
      const { exitCode, stderr } = await sandtable([...command, '--out', file('runs'), '--quiet']);
      expect([exitCode, stderr.slice(0, 2_000)]).toEqual([
        2,
        expect.stringMatching(new RegExp(`${name}.*unpacks to more than 2 MB`, 's')),
      ]);
    },
  );

  it.each([
    ['data check', '--actions'],
    ['data adjust', '--actions'],
    ['data adjust', '--factors'],
  ])('of %s in %s is refused too', async (command, flag) => {
    const row = 'ACME,2024-01-02,dividend,1';
    writeFileSync(
      file('rows.csv.gz'),
      gzipSync(`symbol,date,kind,amount\n${`${row}\n`.repeat(BYTES / row.length)}`),
    );
    writeFileSync(file('bars.csv'), 'date,open,high,low,close,volume\n2024-01-02,10,11,9,10,1000\n');
    const out = command.endsWith('adjust') ? ['--out', file('out.csv')] : [];
    const { exitCode, stderr } = await sandtable([
      ...command.split(' '),
      file('bars.csv'),
      flag,
      file('rows.csv.gz'),
      '--max-unpacked',
      '2',
      ...out,
    ]);
    expect([exitCode, stderr.slice(0, 2_000)]).toEqual([
      2,
      expect.stringMatching(/rows\.csv\.gz.*unpacks to more than 2 MB/s),
    ]);
  });
});
