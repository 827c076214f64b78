import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills a child process (a sealed strategy or an agent) after the engine's process has ended for any reason.
 * The child may be in an endless loop, so it cannot be relied on to end itself. A shell reads from a pipe
 * that only the engine has open. If the pipe closes without a line, the shell kills the child.
 */
export class Guardian {
  readonly #shell: ChildProcess | undefined;

  /** @param pid id of the child, or negative id of its process group. `undefined` if it did not start */
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

  /**
   * Ends the shell without killing the child. Called when the child has ended, or after the engine killed it.
   */
  release(): void {
    this.#shell?.stdin?.end('done\n');
  }
}
