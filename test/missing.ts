/**
 * Says why tests are skipped on this machine; with `CI=true` nothing may be skipped for want of something that CI
 * can have, so it ends the test file instead.
 *
 * @param what what is missing and what was not tested, as a sentence
 * @throws Error with `CI=true`
 */
export function skipBecause(what: string): void {
  if (process.env.CI === 'true') throw new Error(`${what} With CI=true nothing is skipped for that reason.`);
  process.stderr.write(`\nSkipped: ${what}\n`);
}
