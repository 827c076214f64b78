import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Reports why tests are skipped on this machine. With `CI=true`, throws an error instead, because CI must
 * have everything that the tests need.
 *
 * @param what sentence that states what is missing and which tests are skipped
 * @throws Error with `CI=true`
 */
export function skipBecause(what: string): void {
  if (process.env.CI === 'true') throw new Error(`${what} With CI=true nothing is skipped for that reason.`);
  process.stderr.write(`\nSkipped: ${what}\n`);
}

/**
 * Returns true if a file or folder of `../shared` exists. Otherwise calls `skipBecause`.
 *
 * @param place full path or address of the file
 */
export function sharedIsHere(place: string | URL): boolean {
  const path = place instanceof URL ? fileURLToPath(place) : place;
  if (existsSync(path)) return true;
  skipBecause(
    `Tests with shared data are skipped: there is no ${path.replace(/^.*(?=\bshared\b)/s, '../')}.`,
  );
  return false;
}

/** Returns true if `npm run build` has made the command line. Otherwise calls `skipBecause`. */
export function buildIsHere(): boolean {
  if (existsSync(fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url)))) return true;
  skipBecause('Tests of the built program are skipped: there is no dist/cli/bin.js. Run: npm run build');
  return false;
}
