import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills the process of a sealed strategy after the engine's process has ended for any reason. The strategy
 * may be in an endless loop, so it cannot be relied on to end itself. A shell reads from a pipe that only the
 * engine has open. If the pipe closes without a line, the shell kills the process.
 */
export class Guardian {
  readonly #shell: ChildProcess | undefined;

  /** @param pid id of the process. `undefined` if it did not start */
  constructor(pid: number | undefined) {
    // Windows lacks a suitable shell.
    if (pid === undefined || process.platform === 'win32') return;
    this.#shell = spawn('/bin/sh', ['-c', 'read line || kill -9 "$1"', 'sh', String(pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Started in a separate process group, so that Ctrl-C does not end the shell.
      detached: true,
      env: {},
    });
    this.#shell.on('error', () => undefined);
    this.#shell.stdin?.on('error', () => undefined);
    this.#shell.unref();
    (this.#shell.stdin as { unref?(): void } | null)?.unref?.();
  }

  /** Ends the shell. Called when the guarded process has ended, or before the engine ends it. */
  release(): void {
    this.#shell?.stdin?.end('done\n');
  }
}
