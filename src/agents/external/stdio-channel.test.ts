import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startFault } from './stdio-channel.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-start-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = join(folder, 'a01.py');
writeFileSync(script, '');

function fault(words: readonly string[], code: string): string {
  return startFault(words, Object.assign(new Error(`spawn ${words[0]} ${code}`), { code }));
}

it('names a program that is not found, and the nearest', () => {
  expect(fault(['pyton3', 'x.py'], 'ENOENT')).toContain(
    'the program pyton3 was not found. Did you mean python3? Expected an installed program',
  );
  expect(fault(['trader'], 'ENOENT')).toContain('the program trader was not found. Expected');
});

it.each(['ENOENT', 'EACCES'])('shows how to run a file that is given as a program, after %s', (code) => {
  expect(fault([script, '--fast'], code)).toContain(`--agent "python3 ${script} --fast"`);
});

it('names a file that does not exist', () => {
  expect(fault(['a02.py'], 'ENOENT')).toContain('the file a02.py was not found');
});

it('repeats the text of another fault', () => {
  expect(fault(['trader'], 'EACCES')).toContain(
    'its program trader could not be started: spawn trader EACCES',
  );
});
