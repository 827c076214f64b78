import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProcessAlive } from './process-alive.ts';

describe('isProcessAlive', () => {
  it('is true of this process, and false of one that has ended', async () => {
    expect(isProcessAlive(process.pid)).toBe(true);
    const child = spawn(process.execPath, ['-e', '0']);
    await new Promise((resolve) => child.on('close', resolve));
    expect(isProcessAlive(child.pid!)).toBe(false);
  });

  it.skipIf(!existsSync('/proc/self/stat'))(
    'is false of one that was killed and that its parent has not waited for',
    async () => {
      // A shell that becomes `sleep` never waits for what it started before.
      const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 30']);
      const pid = await new Promise<number>((resolve) =>
        parent.stdout.once('data', (text: Buffer) => resolve(Number(text))),
      );
      try {
        const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2]!;
        while (state() !== 'Z') await new Promise((resolve) => setTimeout(resolve, 5));
        expect(isProcessAlive(pid)).toBe(false);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
