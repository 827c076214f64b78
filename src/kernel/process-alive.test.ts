import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isProcessAlive } from './processes.ts';

describe('isProcessAlive', () => {
  it('is true for this process, and false for one that has ended', async () => {
    expect(isProcessAlive(process.pid)).toBe(true);
    const child = spawn(process.execPath, ['-e', '0']);
    await new Promise((resolve) => child.on('close', resolve));
    expect(isProcessAlive(child.pid!)).toBe(false);
  });

  it.skipIf(!existsSync('/proc/self/stat'))(
    'is false for a killed process that its parent has not reaped',
    async () => {
      // The child ends on command. By then its parent has become `sleep`, which never collects ended
      // children. A shell as the parent could collect the child before the test observes it.
      const parent = spawn('sh', ['-c', 'sh -c "read line <&3" & echo $!; exec sleep 30'], {
        stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      });
      const pid = await new Promise<number>((resolve) =>
        parent.stdout!.once('data', (text: Buffer) => resolve(Number(text))),
      );
      const until = async (isSo: () => boolean): Promise<void> => {
        while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      try {
        const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2]!;
        await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
        expect(isProcessAlive(pid)).toBe(true);
        (parent.stdio[3] as Writable).end('\n');
        await until(() => state() === 'Z');
        expect(isProcessAlive(pid)).toBe(false);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
