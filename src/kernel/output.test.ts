import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  colourMark,
  escapeControls,
  guardOutput,
  redrawLine,
  writeData,
  writeText,
} from './terminal-text.ts';

function captured(isTTY: boolean): { text: string; readonly isTTY: boolean; write(text: string): boolean } {
  return {
    text: '',
    isTTY,
    write(text) {
      this.text += text;
      return true;
    },
  };
}

// Independent implementation of the tested rule: true if a text contains code points that must never be
// printed.
const isObeyed = (text: string): boolean =>
  [...text].some((one) => {
    const code = one.codePointAt(0)!;
    const isControl = (code < 0x20 && one !== '\n' && one !== '\t') || (code >= 0x7f && code <= 0x9f);
    const isBidi = [0x61c, 0x200e, 0x200f].includes(code) || (code >= 0x202a && code <= 0x202e);
    return isControl || isBidi || (code >= 0x2066 && code <= 0x2069);
  });

describe('printed text', () => {
  it.each([
    ['a title', '\u001b]0;PWNED\u0007', String.raw`\u001b]0;PWNED\u0007`],
    ['an escape of one character', '\u009b2J', String.raw`\u009b2J`],
    ['a line written over', 'good\rbad', String.raw`good\u000dbad`],
    ['an order of letters', 'a\u202etxt.exe', String.raw`a\u202etxt.exe`],
    ['a colour', '\u001b[31mred', String.raw`\u001b[31mred`],
    ['a tag that nobody sees', '\u{e0041}', String.raw`\udb40\udc41`],
    ['nothing harmful', 'Übergröße 漢字 👩‍👩‍👧 …\t1\n', 'Übergröße 漢字 👩‍👩‍👧 …\t1\n'],
    ['lines of Windows', 'a\r\nb', 'a\nb'],
  ])('shows %s', (_, text, shown) => {
    const output = captured(true);
    writeText(output, text);
    expect(output.text).toBe(shown);
  });

  it('contains no control sequences of a terminal, for any input', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[', '\r', '\u0085', '\u2067', '1m'),
    );
    fc.assert(fc.property(fc.array(unit), (parts) => !isObeyed(escapeControls(parts.join('')))));
  });

  it('remains the same document if it is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value, null, 2);
        expect(JSON.parse(escapeControls(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('retains colours of the program, and escapes those of a file', () => {
    const output = captured(true);
    writeText(output, `${colourMark(1)}bold\u001b[31m${colourMark(22)}`);
    expect(output.text).toBe('\u001b[1mbold\\u001b[31m\u001b[22m');
  });

  it('replaces the previous line', () => {
    const output = captured(true);
    redrawLine(output, 'a\u001b]0;b\nc', 10);
    expect(output.text).toBe('\r\u001b[2Ka\\u001b]0;');
  });

  it('is not changed for another program, and is escaped for a terminal', () => {
    const [pipe, terminal] = [captured(false), captured(true)];
    for (const output of [pipe, terminal]) writeData(output, 'a\u001bb\r\n');
    expect([pipe.text, terminal.text]).toEqual(['a\u001bb\r\n', 'a\\u001bb\n']);
  });
});

describe('a guarded stream', () => {
  it('escapes all writes in any form, and retains the colours of a console', () => {
    const stream = captured(true) as unknown as NodeJS.WriteStream & { readonly text: string };
    guardOutput(stream);
    stream.write('a\u001b]0;b');
    stream.write(Buffer.from('\u001b]c€').subarray(0, 4));
    stream.write(Buffer.from('€').subarray(1));
    stream.write('1b5d', 'hex');
    stream.write('\u001b[33m1\u001b[39m\u001b[8m');
    writeText(stream, `${colourMark(1)}d`);
    expect(stream.text).toBe('a\\u001b]0;b\\u001b]c€\\u001b]\u001b[33m1\u001b[39m\\u001b[8m\u001b[1md');
  });
});

/**
 * Source files that may use the output streams of the process. They pass the streams on but do not write to
 * them.
 */
const HANDS_ON = ['cli/bin.ts', 'cli/guard/process-guard.ts', 'agents/sealed/process.ts', 'kernel/output.ts'];
const WRITES: readonly RegExp[] = [
  /\bconsole\s*[.[]/,
  /\b(?:stdout|stderr|output)\s*\??\.\s*(?:write|end|_write|writev|pipe)\s*\(/i,
  /\bwrite(?:File)?Sync\(\s*[12]\b/,
  /\.pipe\(\s*[\w.]*(?:stdout|stderr)/,
  /['"]inherit['"]|\/dev\/(?:tty|stdout|stderr|fd)|_rawDebug/,
];

describe('the source code', () => {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    // Scripts of pages (`/client/`) are excluded, because they run in browsers.
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/client\/|\/test-[^/]*$/.test(file));

  it('prints through this file only', () => {
    const found = files.flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      const code = lines.map((line) => line.replace(/^\s*(?:\/\/|\/?\*).*$/, ''));
      const rules = HANDS_ON.includes(file) ? WRITES : [...WRITES, /\bprocess\s*\.\s*(?:stdout|stderr)\b/];
      return code.flatMap((line, index) =>
        rules.some((rule) => rule.test(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      );
    });
    expect(found.filter((line) => !ALLOWED.some((one) => line.includes(one)))).toEqual([]);
  });

  const ALLOWED = [
    // Waits until all output is written.
    "if (guard?.used === true) process.stdout.write('', () => setImmediate(() => process.exit()));",
    // Starts this program again as a child process.
    "stdio: ['inherit', 'inherit', 'inherit', 'ipc'],",
    // Prints the version without loading another module. Each text is one short line.
    'cli/print-version.ts:',
    // Messages from a child process to this program.
    'sandbox/provision/build-main.ts:12 fs.writeSync(1,',
    'sandbox/provision/build-start-image.ts:24 fs.writeSync(1,',
    'resolve({ stdout: stdout.end(), stderr: stderr.end(), returncode, timedOut });',
  ];
});
