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
  it('is held once, and free again when it is released', () => {
    const lock = lockRun(folder);
    expect(() => lockRun(folder)).toThrow(expect.objectContaining({ code: 'run_in_use' }));
    lock.release();
    expect(existsSync(file())).toBe(false);
    lockRun(folder).release();
  });

  it('of a process that is alive is kept', () => {
    writeFileSync(file(), `${process.ppid} ${hostname()}\n`);
    expect(() => lockRun(folder)).toThrow(`Process ${process.ppid} on ${hostname()} is writing`);
    expect(existsSync(file())).toBe(true);
  });

  it('of a process that is dead is taken over', () => {
    writeFileSync(file(), `${deadProcess()} ${hostname()}\n`);
    lockRun(folder).release();
    expect(existsSync(file())).toBe(false);
  });

  it.each(['', 'no number at all'])('that holds %j says nothing of a process here', (text) => {
    writeFileSync(file(), text);
    const take = (): void => lockRun(folder).release();
    if (text === '') take();
    else expect(take).toThrow(expect.objectContaining({ code: 'run_in_use' }));
  });

  it('of another machine cannot be judged, and is kept with what to do', () => {
    writeFileSync(file(), `${deadProcess()} another-machine\n`);
    expect(() => lockRun(folder)).toThrow(
      expect.objectContaining({ code: 'run_in_use', hint: expect.stringContaining(file()) }),
    );
  });

  it('cannot be had in a folder that is not there', () => {
    expect(() => lockRun(join(folder, 'none'))).toThrow(
      expect.objectContaining({ code: 'run_folder_unwritable' }),
    );
  });
});
