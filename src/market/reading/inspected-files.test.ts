import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { lazyDatabase } from './database.ts';
import { delimiterOf } from './delimiter.ts';
import { BytesRead, inspectFile, isPlainName, mostColumns, specialFileFault, tooWide } from './file-bytes.ts';
import { findFiles, symbolOfFile } from './find-files.ts';

inOwnFolders();

const inspect = async (name: string, content: string | Buffer, limit?: number) => {
  const { sha256, ...found } = await inspectFile(write(name, content), limit);
  expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
  return found;
};
const text = { kind: 'text', gzip: false, endsWithReturns: false, unpackedLimit: 256 };

describe('the kind of a file', () => {
  it('is detected from its first bytes, or from its name for JSON', async () => {
    expect(await inspect('a.csv', 'a\nb\n')).toEqual(text);
    expect(await inspect('a.csv', 'a\nb\n', 7)).toEqual({ ...text, unpackedLimit: 7 });
    expect(await inspect('a.json', '[]')).toEqual({ ...text, kind: 'json' });
    expect(await inspect('a.ndjson.gz', gzipSync('{}'))).toEqual({ ...text, kind: 'json', gzip: true });
    expect(await inspect('a.csv', gzipSync('a\nb\n'))).toEqual({ ...text, gzip: true });
    expect(await inspect('a.csv', 'PAR1')).toEqual({ ...text, kind: 'parquet' });
    expect(['a.csv', 'a.json', 'a.JSONL', 'a.ndjson.gz', 'json', 'a.json.csv'].map(isPlainName)).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it.each<[string, string | Buffer, string]>([
    ['a.csv', '', 'the file is empty'],
    ['a.csv', Buffer.from([0xff, 0xfe, 0x41]), 'the file is UTF-16 text; save it as UTF-8'],
    ['a.csv', Buffer.from([0xfe, 0xff, 0x41]), 'the file is UTF-16 text; save it as UTF-8'],
    ['a.csv', 'a\0b', 'the file contains binary data, not text'],
    ['a.csv', 'a\x1fb', 'the file contains binary data, not text'],
    ['a.csv', gzipSync('a\n').subarray(0, 12), 'the gzip archive is damaged or cut off'],
  ])('is a fault for %s with the content %j', async (name, content, message) => {
    expect((await inspect(name, content)).fault).toEqual({ where: name, message });
  });

  it('is text if only one of two bytes is a mark of UTF-16 or gzip', async () => {
    for (const bytes of [
      [0xff, 0x41],
      [0x41, 0xfe],
      [0xfe, 0x41],
      [0x1f - 1, 0x8b],
    ])
      expect((await inspect('a.csv', Buffer.from(bytes))).fault).toBeUndefined();
  });

  it('is a fault for JSON with a byte order mark', async () => {
    expect((await inspect('a.json', '\ufeff[]')).fault).toEqual({
      where: 'a.json line 1',
      message: 'begins with a byte order mark, which JSON does not allow',
      hint: 'save it as UTF-8 without a BOM',
    });
    expect((await inspect('a.csv', '\ufeffa\n')).fault).toBeUndefined();
    expect((await inspect('a.ndjson', '\ufeff{}')).fault).toBeUndefined();
  });
});

describe('the line ends of a text', () => {
  const ends = async (content: string) => {
    const { fault, endsWithReturns } = await inspect('a.csv', content);
    if (fault !== undefined)
      expect(fault).toEqual({
        where: fault.where,
        message: 'ends with a carriage return alone, and other lines end with a line feed',
        hint: 'end every line with LF or CRLF',
      });
    return fault?.where ?? endsWithReturns;
  };

  it('are LF, CRLF or single carriage returns, but not a mixture with single carriage returns', async () => {
    for (const content of ['a\nb', 'a\r\nb\r\n', 'a\nb\r\nc', 'a', 'a\nb\r'])
      expect(await ends(content)).toBe(false);
    for (const content of ['a\rb\r', 'a\rb', 'a\r', '\r\r']) expect(await ends(content)).toBe(true);
    expect(await ends('a\rb\n')).toBe('a.csv line 1');
    expect(await ends('a\nb\rc\n')).toBe('a.csv line 2');
    expect(await ends('a\n\nb\r\nc\rd\re')).toBe('a.csv line 4');
    expect(await ends('a\rb\r\n')).toBe('a.csv line 1');
  });

  it('are read correctly at the boundary of two parts of a long file', async () => {
    const line = `${'x'.repeat(127)}\n`;
    const first = line.repeat(511) + 'x'.repeat(127);
    expect((first + '\r').length).toBe(2 ** 16);
    expect(await ends(`${first}\r\nx\n`)).toBe(false);
    expect(await ends(`${first}\rx\n`)).toBe('a.csv line 512');
    expect(await ends(`${first}y${line}z\rx`)).toBe('a.csv line 513');
    expect(await ends(`${first}\r`)).toBe(false);
  });
});

describe('the unpacked size of an archive', () => {
  const MB = 1024 * 1024;
  it('may be equal to the limit, in bytes and in rows that count as 64 bytes', async () => {
    const isTooMuch = async (name: string, content: string | Buffer): Promise<boolean> => {
      const { fault } = await inspectFile(write(name, gzipSync(content)), 1);
      if (fault !== undefined)
        expect(fault.message).toBe(
          'the archive unpacks to more than 1 MB or 16,384 rows; allow more with --max-unpacked MB',
        );
      return fault !== undefined;
    };
    expect([
      await isTooMuch('a.csv', Buffer.alloc(MB, 'x')),
      await isTooMuch('a.csv', Buffer.alloc(MB + 1, 'x')),
    ]).toEqual([false, true]);
    expect([
      await isTooMuch('a.csv', '\n'.repeat(16_384)),
      await isTooMuch('a.csv', '\n'.repeat(16_385)),
    ]).toEqual([false, true]);
    expect([
      await isTooMuch('a.json.gz', '{}'.repeat(16_384)),
      await isTooMuch('a.json.gz', '{}'.repeat(16_385)),
    ]).toEqual([false, true]);
    expect(await isTooMuch('a.json.gz', '\n'.repeat(20_000))).toBe(false);
  });

  it('limits the number of columns', () => {
    expect([mostColumns(), mostColumns(1), mostColumns(300)]).toEqual([1_024, 4, 1_200]);
    expect(tooWide(1_025, 256)).toBe(
      'the file has 1025 columns; at most 1024 are read. Remove columns, or allow more with --max-unpacked 257',
    );
    expect(tooWide(2_000, 256)).toContain('--max-unpacked 500');
  });
});

describe('the delimiter of a table', () => {
  it('is the most frequent delimiter of its header, or a comma', () => {
    expect(['a,b', 'a;b;c,d', 'a\tb', 'a|b|c', 'a', 'a;b|c', 'a,b;c'].map(delimiterOf)).toEqual([
      ',',
      ';',
      '\t',
      '|',
      ',',
      ';',
      ',',
    ]);
  });
});

describe('files of bars', () => {
  const find = async (...paths: string[]) => {
    const database = lazyDatabase();
    const { files, faults, unreadable } = await findFiles(database, paths);
    database.close();
    return { files, faults: faults.map(({ where, message }) => `${where}: ${message}`), unreadable };
  };

  it('are found once each, in the order of the paths and sorted within a folder or pattern', async () => {
    for (const name of ['d/b.csv', 'd/a.JSON', 'd/c.txt', 'd/.h.csv', 'd/sub/e.csv', 'x[1].csv'])
      write(name, 'x');
    expect(await find('x[1].csv', 'd', 'd/c.txt', './d/b.csv')).toEqual({
      files: ['x[1].csv', 'd/a.JSON', 'd/b.csv', 'd/c.txt'],
      faults: [],
      unreadable: [],
    });
    expect((await find('d/*.csv', 'd/*')).files).toEqual(['d/b.csv', 'd/a.JSON', 'd/c.txt']);
  });

  it('are reported by path if there is no data file', async () => {
    write('empty/notes.md', 'x');
    for (const name of ['s.py', 's.ts', 's.mjs', 'd.csv']) write(name, 'x');
    expect(await find('', 'empty', 's.py', 's.ts', 's.mjs', 'no*.csv', 'gone', 'd.csv/x.csv')).toEqual({
      files: [],
      faults: [
        '--data: an empty path',
        'empty: the folder contains no data file (.csv, .tsv, .parquet, .json, .ndjson; .gz of text files)',
        's.py: is a file of code, not of bars',
        's.ts: is a file of code, not of bars',
        's.mjs: is a file of code, not of bars',
        'no*.csv: no file matches',
        'gone: the file or folder does not exist',
        'd.csv/x.csv: the file or folder does not exist',
      ],
      unreadable: [],
    });
    expect(await find(`x${'y'.repeat(300)}.csv`)).toMatchObject({
      faults: [],
      unreadable: [{ message: expect.stringContaining('cannot be read (') as unknown }],
    });
  });

  it('have the symbol that their name states', () => {
    expect(
      ['a/brk.b.csv', 'A.PQ', 'x.json.gz', 'spx', 'a.csv.csv', 'q.md', 'b.txt', 'c.psv.gz'].map(symbolOfFile),
    ).toEqual(['BRK.B', 'A', 'X', 'SPX', 'A.CSV', 'Q.MD', 'B', 'C']);
  });

  it('must be regular files', async () => {
    expect([await specialFileFault(write('a.csv', 'x')), await specialFileFault('.')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await specialFileFault('/dev/null')).toEqual({
      where: '/dev/null',
      message: 'is a device, not a regular file',
      hint: 'remove it, or copy its content to a regular file',
    });
  });
});

describe('the progress of reading', () => {
  it('counts the bytes of all files, and a missing file as empty', async () => {
    const seen: [number, number][] = [];
    const files = [write('a.csv', 'x'.repeat(10)), 'gone.csv', write('b.csv', 'x'.repeat(5))];
    const bytes = (await BytesRead.of(files, (done, total) => seen.push([done, total])))!;
    bytes.startFile()(4);
    bytes.endFile();
    bytes.startFile();
    bytes.endFile();
    bytes.startFile()(3);
    bytes.endFile();
    expect(seen).toEqual([4, 10, 10, 13, 15].map((done) => [done, 15]));
    expect(await BytesRead.of(files, undefined)).toBeUndefined();
  });
});
