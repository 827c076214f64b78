import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends a process when this one is gone, however it went: nobody else would, where the other never looks up from a loop. A
 * shell waits for the end of a pipe that only this process holds; a line sent before means that all is well.
 */
export class Guardian {
  readonly #shell: ChildProcess | undefined;

  /** @param pid of the process; undefined where it did not start */
  constructor(pid: number | undefined) {
    // Windows has no shell that would do it.
    if (pid === undefined || process.platform === 'win32') return;
    this.#shell = spawn('/bin/sh', ['-c', 'read line || kill -9 "$1"', 'sh', String(pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // In a group of its own, which a Ctrl-C does not reach.
      detached: true,
      env: {},
    });
    this.#shell.on('error', () => undefined);
    this.#shell.stdin?.on('error', () => undefined);
    this.#shell.unref();
    (this.#shell.stdin as { unref?(): void } | null)?.unref?.();
  }

  /** The process has ended, or is ended by this one. */
  release(): void {
    this.#shell?.stdin?.end('done\n');
  }
}
