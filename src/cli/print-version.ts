import { readFileSync, writeSync } from 'node:fs';

/** Returns true if the only argument requests the version. */
export function isVersionOnly([word, ...rest]: readonly string[]): boolean {
  return (word === '--version' || word === '-V') && rest.length === 0;
}

/**
 * Prints the version of the package.
 *
 * @param notice further line, printed on stderr
 * @returns the exit code
 */
export function printVersion(notice: string | undefined): number {
  // Reads `package.json` directly, because loading the kernel for its `version` would take longer than the
  // rest of this function.
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  try {
    if (notice !== undefined) writeSync(process.stderr.fd, `${notice}\n`);
    writeSync(process.stdout.fd, `${version}\n`);
    return 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The reader has closed the pipe, which is not an error.
    if (code === 'EPIPE') return 0;
    const why = code === 'ENOSPC' ? 'the disk is full' : message;
    writeSync(process.stderr.fd, `error: Cannot write the version to standard output: ${why}.\n`);
    return 1;
  }
}
