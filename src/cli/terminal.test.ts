import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testIo } from '../../test/support/io.ts';
import { main } from './main.ts';

/** Window title, colour, carriage return, text direction override, and a one-character control sequence. */
const EVIL = '\u001b]0;PWNED\u0007\u001b[31m\rX\u202eY\u009b2J';
const ROWS =
  '2020-01-06,100,102,99,101,1000\n2020-01-07,100,102,99,101,1000\n2020-01-08,100,102,99,101,1000\n';
const HEADER = 'date,open,high,low,close,volume';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-terminal-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function printed(argv: readonly string[], stdin?: string): Promise<string> {
  const io = testIo({ terminal: true, ...(stdin === undefined ? {} : { stdin }) });
  await main(argv, io);
  return io.stdout.text + io.stderr.text;
}

const good = written('good.csv', `${HEADER}\n${ROWS}`);
const evilFile = written(`${EVIL}.csv`, `${HEADER}\n${ROWS}`);
const evilSymbol = written(
  'symbol.csv',
  `symbol,${HEADER}\n${ROWS.trimEnd()
    .split('\n')
    .map((row) => `${EVIL.replace('\r', '')},${row}\n`)
    .join('')}`,
);
const evilColumn = written('column.csv', `date,${EVIL.replace('\r', '')},high\n1,2,3\n`);
const strategy = written(
  'strategies/evil.ts',
  `import { defineStrategy } from 'sandtable';
  export default defineStrategy({
    name: ${JSON.stringify(EVIL)},
    onBar(turn) {
      turn.record({ note: ${JSON.stringify(EVIL)} });
      if (turn.bar === 1) throw new Error(${JSON.stringify(EVIL)});
    },
  });`,
);
const runs = join(folder, 'runs');
written(`runs/20260101-000000-${EVIL}/journal.jsonl`, `{"type":"${EVIL.slice(0, 5)}\n`);
written(`runs/20260101-000000-${EVIL}/manifest.json`, '{}');
const out = join(folder, 'out');

describe('terminal control characters in data', () => {
  it.each<readonly [string, readonly string[]]>([
    ["a data file's name", ['data', 'check', evilFile]],
    ["a data file's name, as JSON", ['data', 'check', evilFile, '--json']],
    ['a file that is not there', ['data', 'check', `missing-${EVIL}.csv`]],
    ['a symbol', ['data', 'check', evilSymbol]],
    ['a symbol that is asked for', ['data', 'check', good, '--symbol', EVIL, 'B']],
    ['a column', ['data', 'check', evilColumn]],
    ['a simulated symbol', ['data', 'simulate', '--symbols', EVIL, '--bars', '3']],
    [
      'the name of a strategy, its notes and its error',
      ['run', strategy, '--data', evilSymbol, '--out', out],
    ],
    ['a strategy that is not there', ['run', `${EVIL}.ts`, '--data', good, '--out', out]],
    ['a word that is no command', [EVIL]],
    ['a flag that is none', ['data', 'check', `--${EVIL}`]],
    ['a wrong flag', ['data', 'check', good, '--interval', EVIL]],
    ['the folder of a damaged run', ['query', 'select * from runs', '--reports', runs]],
    ['a damaged run', ['report', join(runs, `20260101-000000-${EVIL}`)]],
    ['compared runs', ['compare', join(runs, `20260101-000000-${EVIL}`), join(runs, EVIL)]],
    ['a replayed run', ['replay', join(runs, `20260101-000000-${EVIL}`)]],
    ['the answer of a query', ['query', `select '${EVIL}' as "${EVIL}"`, '--reports', out]],
    [
      'the answer of a query, as JSON',
      ['query', `select '${EVIL}' as "${EVIL}"`, '--reports', out, '--json'],
    ],
    ['the answer of a query, as CSV', ['query', `select '${EVIL}' as "${EVIL}"`, '--reports', out, '--csv']],
    ['a query that is none', ['query', `select ${EVIL}`, '--reports', out]],
    ['a note', ['tools', 'call', 'memory_note', '--data', good, '--args', JSON.stringify({ text: EVIL })]],
  ])('are never printed: %s', async (_, argv) => {
    const text = await printed(argv);
    expect(text).not.toBe('');
    // Removes the program's own colours, and the codes that redraw a progress line.
    const rest = text
      .replaceAll('\r\u001b[2K', '')
      .replaceAll(new RegExp(`${'\u001b'}\\[(?:1|2|22|3[1-69]|39)m`, 'g'), '');
    expect(rest).not.toMatch(/(?![\t\n])\p{Control}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    expect(rest).not.toContain(EVIL.slice(0, 8));
  });

  it('do not prevent a query of the run', async () => {
    const argv = ['query', 'select count(*) as n from runs', '--reports', out, '--csv'];
    expect(await printed(argv)).toMatch(/^n\n1\n/);
  });

  it('remain in CSV for another program, and are the same value in JSON', async () => {
    const text = "a' || chr(27) || 'b\u202ec";
    const answers = ['--csv', '--json'].map(async (form) => {
      const io = testIo();
      await main(['query', `select '${text}' as n`, '--reports', out, form], io);
      return io.stdout.text;
    });
    const [csv = '', json = ''] = await Promise.all(answers);
    expect(csv).toBe('n\na\u001bb\u202ec\n');
    expect(json).not.toContain('\u202e');
    expect(JSON.parse(json)).toEqual([{ n: 'a\u001bb\u202ec' }]);
  });
});
