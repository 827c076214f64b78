import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockRun } from './run-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, 'run.lock');

/** Returns the id of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('the lock of a run', () => {
  it('is acquired once, and is free after its release', () => {
    const lock = lockRun(folder);
    expect(() => lockRun(folder)).toThrow(expect.objectContaining({ code: 'run_in_use' }));
    lock.release();
    expect(existsSync(file())).toBe(false);
    lockRun(folder).release();
  });

  it('of a running process is respected', () => {
    writeFileSync(file(), `${process.ppid} ${hostname()}\n`);
    expect(() => lockRun(folder)).toThrow(`Process ${process.ppid} on ${hostname()} is writing`);
    expect(existsSync(file())).toBe(true);
  });

  it('of a dead process is taken over', () => {
    writeFileSync(file(), `${deadProcess()} ${hostname()}\n`);
    lockRun(folder).release();
    expect(existsSync(file())).toBe(false);
  });

  it.each(['', 'no number at all'])('that contains %j identifies no process here', (text) => {
    writeFileSync(file(), text);
    const take = (): void => lockRun(folder).release();
    if (text === '') take();
    else expect(take).toThrow(expect.objectContaining({ code: 'run_in_use' }));
  });

  it('of another machine is respected, and the error shows how to remove it', () => {
    writeFileSync(file(), `${deadProcess()} another-machine\n`);
    expect(() => lockRun(folder)).toThrow(
      expect.objectContaining({ code: 'run_in_use', hint: expect.stringContaining(file()) }),
    );
  });

  it('cannot be acquired in a missing folder', () => {
    expect(() => lockRun(join(folder, 'none'))).toThrow(
      expect.objectContaining({ code: 'run_folder_unwritable' }),
    );
  });
});
