import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';
import { sandtable } from '../../test/support/sandtable.ts';

const BIN = resolve('dist/cli/bin.js');
const folder = mkdtempSync(join(tmpdir(), 'sandtable-fifo-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fifo(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

const world = ['--data', 'data/spx-daily.csv', '--to', '2000-02-28', '--out', join(folder, 'runs')];

/** Waits until a process reports that it waits for a FIFO. */
async function waitsFor(child: ChildProcess, path: string): Promise<void> {
  let text = '';
  for await (const chunk of child.stderr! as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.includes(`Waiting for the end of ${path}`)) return;
  }
  throw new Error(`it ended: ${text}`);
}

describe.skipIf(process.platform === 'win32')('a FIFO passed as a file', () => {
  it('is read by --settings', async () => {
    const path = fifo('settings.json');
    const writer = spawn('sh', ['-c', `echo '{"cash": "5000"}' > "${path}"`]);
    const { stdout, stderr } = await sandtable([
      ...['run', 'strategies/buy-and-hold.ts', ...world],
      ...['--settings', path, '--json'],
    ]);
    writer.kill();
    expect(stderr).not.toContain('error');
    expect(JSON.parse(stdout)).toMatchObject({ initialCash: '5000' });
  });

  it('is read by study', async () => {
    const path = fifo('study.yaml');
    const writer = spawn('sh', ['-c', `echo 'odd: 1' > "${path}"`]);
    const { exitCode, stderr } = await sandtable(['study', path]);
    writer.kill();
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('unknown setting odd')]);
  });

  it('is refused as a strategy, which is read several times', async () => {
    const path = fifo('strategy.ts');
    for (const command of ['run', 'sweep', 'stress']) {
      const { exitCode, stderr } = await sandtable([command, path, ...world]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('it is a FIFO (named pipe)')]);
    }
  });

  it.skipIf(!buildIsHere()).each([
    { signal: 'SIGTERM' as const, command: 'run' },
    { signal: 'SIGINT' as const, command: 'sweep' },
  ])('does not delay $signal while $command waits for its writer', async ({ signal, command }) => {
    const path = fifo(`${command}.json`);
    const child = spawn(
      process.execPath,
      [BIN, command, 'strategies/buy-and-hold.ts', ...world, '--settings', path],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = once(child, 'exit');
    await waitsFor(child, path);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
  });

  it.skipIf(!buildIsHere())('does not delay SIGTERM while study waits for its writer', async () => {
    const path = fifo('waiting.yaml');
    const child = spawn(process.execPath, [BIN, 'study', path], { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'exit');
    await waitsFor(child, path);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });
});

describe('a settings file', () => {
  it('is read as a regular file', async () => {
    const path = join(folder, 'plain.json');
    writeFileSync(path, '{"cash": "7000"}');
    const { stdout } = await sandtable([
      ...['run', 'strategies/buy-and-hold.ts', ...world],
      ...['--settings', path, '--json'],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ initialCash: '7000' });
  });
});
