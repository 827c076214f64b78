import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills a process when this process has ended for any reason. Needed because the other process may be in an
 * endless loop. A shell reads from a pipe that only this process has open. If the pipe closes before a line
 * was sent, the shell kills the process.
 */
export class Guardian {
  readonly #shell: ChildProcess | undefined;

  /** @param pid id of the process. `undefined` if it did not start */
  constructor(pid: number | undefined) {
    // Windows lacks a suitable shell.
    if (pid === undefined || process.platform === 'win32') return;
    this.#shell = spawn('/bin/sh', ['-c', 'read line || kill -9 "$1"', 'sh', String(pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Started in a separate process group, which Ctrl-C does not reach.
      detached: true,
      env: {},
    });
    this.#shell.on('error', () => undefined);
    this.#shell.stdin?.on('error', () => undefined);
    this.#shell.unref();
    (this.#shell.stdin as { unref?(): void } | null)?.unref?.();
  }

  /** Ends the guard. Called when the process has ended, or is about to be ended by this process. */
  release(): void {
    this.#shell?.stdin?.end('done\n');
  }
}
