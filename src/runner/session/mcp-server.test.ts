import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { inDepth, sampled } from '../../../test/support/depth.ts';
import { LONGEST_MESSAGE, RequestIdScanner } from './mcp-server.ts';

const MB = 1024 * 1024;
const BIN = resolve('dist/cli/bin.js');

interface Answer {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly content?: { readonly text: string }[] };
}

const folder = mkdtempSync(join(tmpdir(), 'sandtable-lines-'));

beforeAll(() => {
  const rows = ['06', '07', '08'].map((day) => `2020-01-${day},100,102,99,101,1000`);
  writeFileSync(join(folder, 'prices.csv'), `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A line as pieces, because some lines exceed the maximum length of a string. */
type Line = readonly (string | Buffer)[];

/** Sends lines to a new server. Returns its answers and how the connection ended. */
async function talk(
  lines: readonly Line[],
  answers: number,
): Promise<{ readonly code: number | null; readonly answers: Answer[]; readonly stderr: string }> {
  const argv = [
    BIN,
    'mcp',
    '--data',
    'prices.csv',
    '--out',
    'runs',
    '--tools',
    'market_observe',
    'memory_note',
  ];
  const child = spawn(process.execPath, ['--max-old-space-size=700', ...argv], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const all = new Promise<void>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.split('\n').length > answers) done();
    });
    child.once('exit', () => done());
  });
  child.stdin.on('error', () => undefined);
  const hello = {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };
  const first = [JSON.stringify({ jsonrpc: '2.0', ...hello })];
  for (const line of [first, ['{"jsonrpc":"2.0","method":"notifications/initialized"}'], ...lines])
    for (const piece of [...line, '\n']) if (!child.stdin.write(piece)) await once(child.stdin, 'drain');
  await all;
  child.stdin.end();
  if (child.exitCode === null) await once(child, 'exit');
  return {
    code: child.exitCode,
    stderr,
    answers: stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
      .filter(({ id }) => id !== 0),
  };
}

const filler = (megabytes: number, text = 'x'): Buffer => Buffer.alloc(megabytes * MB, text);
const HEAD = '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"market_observe","arguments":{"junk":';
const call = (id: number, junk: Line): Line => [HEAD, ...junk, `}},"id":${id}}`];
const observe: Line = [
  '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"market_observe","arguments":{}}}',
];

describe.skipIf(!buildIsHere() || !inDepth(1))('an MCP server whose client sends long lines', () => {
  const kinds: readonly (readonly [string, Line, number | undefined, RegExp])[] = [
    ['12 MB', ['"', filler(12), '"'], undefined, /./],
    ['12 MB that are no JSON', ['"', filler(12), '\u0001"'], -32700, /not JSON/],
    [
      'a value nested a million levels deep',
      [filler(1, '['), filler(1, ']')],
      -32600,
      /nested deeper than 500/,
    ],
    ['12 MB of small objects', ['[', filler(12, '{},'), '{}]'], undefined, /./],
    ['200 MB', ['"', filler(200), '"'], -32600, /209,715,\d+ bytes; .* at most 16 MB/],
    ['200 MB that are no JSON', [filler(200)], -32600, /at most 16 MB/],
    ['20 MB of backslashes', ['"', filler(20, '\\'), '"'], -32600, /at most 16 MB/],
  ];
  const lines = sampled(kinds, 3);

  it('answers each of them, and the next call, with 700 MB of memory', async () => {
    const sent = lines.map(([, junk], index) => call(index + 1, junk));
    const { answers, ...end } = await talk([...sent, observe], sent.length + 2);
    for (const [index, [what, , code, words]] of lines.entries()) {
      const { error, result } = answers.find(({ id }) => id === index + 1) ?? {};
      expect({ what, code: error?.code }).toEqual({ what, code });
      expect(error?.message ?? result?.content?.[0]?.text).toMatch(words);
    }
    expect(answers.find(({ id }) => id === 99)?.result?.content?.[0]?.text).toContain('"close":101');
    expect(end).toEqual({ code: 1, stderr: expect.stringContaining('interrupted after 1 bars') as unknown });
  }, 300_000);

  it('answers 2 MB of brackets without an id', async () => {
    const { answers } = await talk([call(7, [filler(2, '[')]), observe], 3);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32700],
      [99, undefined],
    ]);
  });

  it('answers lines that are not messages, and ignores blank ones', async () => {
    const bad = ['{broken', '', '  ', '[]', '{"jsonrpc":"2.0","id":"a","method":3}', 'null', '\ufeff{}'];
    const { answers } = await talk([...bad.map((line) => [line]), observe], 7);
    expect(answers.slice(0, -1).map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32700],
      [undefined, -32600],
      ['a', -32600],
      [undefined, -32600],
      [undefined, -32700],
    ]);
    expect(answers.at(-1)?.id).toBe(99);
  });
});

describe('the id of a request', () => {
  it('is found in any message, with any split', () => {
    const id = fc.oneof(fc.string({ maxLength: 20 }), fc.integer());
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        id,
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        (before, after, wanted, size, spaced) => {
          const { id: _, ...rest } = before;
          const { id: __, ...later } = after;
          const text = JSON.stringify({ ...rest, id: wanted, ...later }, null, spaced ? 1 : 0);
          const bytes = Buffer.from(text);
          const scanner = new RequestIdScanner();
          for (let at = 0; at < bytes.length; at += size) scanner.read(bytes.subarray(at, at + size));
          expect(scanner.id).toBe(wanted);
        },
      ),
    );
  });

  it.each([
    ['a member further inside', '{"params":{"id":3,"a":[{"id":4}]}}', undefined],
    ['what is neither text nor whole number', '{"id":1.5}', undefined],
    ['a container', '{"id":{"id":2}}', undefined],
    ['a name within a text', String.raw`{"a":"\",\"id\":5","b":1}`, undefined],
    ['the last of two', '{"id":1,"id":2}', 2],
    ['one in a line that breaks behind it', '{"id":1,"a":tru', 1],
  ])('is not read from %s', (_, text, wanted) => {
    const scanner = new RequestIdScanner();
    scanner.read(Buffer.from(text));
    expect(scanner.id).toBe(wanted);
  });

  it('is read from messages of at most 16 MB, as documented', () => {
    expect(LONGEST_MESSAGE).toBe(16 * MB);
  });
});
