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

it('reports a missing program with the closest known program', () => {
  expect(fault(['pyton3', 'x.py'], 'ENOENT')).toContain(
    'the program pyton3 was not found. Did you mean python3? Expected an installed program',
  );
  expect(fault(['trader'], 'ENOENT')).toContain('the program trader was not found. Expected');
});

it.each(['ENOENT', 'EACCES'])('suggests an interpreter for a file passed as a program, after %s', (code) => {
  expect(fault([script, '--fast'], code)).toContain(`--agent "python3 ${script} --fast"`);
});

it('reports a file that does not exist', () => {
  expect(fault(['a02.py'], 'ENOENT')).toContain('the file a02.py was not found');
});

it('repeats the text of any other error', () => {
  expect(fault(['trader'], 'EACCES')).toContain(
    'its program trader could not be started: spawn trader EACCES',
  );
});
