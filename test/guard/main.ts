/**
 * Compares orders, fills, equity and figures of 200 runs with `hashes.json`: `npm run guard`.
 *
 * `--renew` replaces the hashes. Use this flag after a change that is intended to change results. `--only
 * TEXT` selects the runs whose names contain TEXT. Prints the names of the runs that differ. The exit code is
 * then 1.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { guardedRuns } from './runs.ts';

const FILE = new URL('./hashes.json', import.meta.url);
const { values } = parseArgs({
  options: { renew: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const known = JSON.parse(values.renew && values.only === '' ? '{}' : readFileSync(FILE, 'utf8')) as Record<
  string,
  unknown
>;
const found: Record<string, unknown> = {};
for (const run of guardedRuns()) {
  if (!run.name.includes(values.only)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-guard-'));
  try {
    found[run.name] = await run.hashes(folder);
  } catch (error) {
    found[run.name] = `failed: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const failed = Object.entries(found).filter(
  ([, hashes]) => typeof hashes === 'string' && hashes.startsWith('failed'),
);
for (const [name, text] of failed) process.stderr.write(`${name}: ${text}\n`);
if (values.renew) {
  if (failed.length === 0) writeFileSync(FILE, `${JSON.stringify({ ...known, ...found }, null, 2)}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} else {
  const different = Object.keys(found).filter(
    (name) => JSON.stringify(found[name]) !== JSON.stringify(known[name]),
  );
  const missing = values.only === '' ? Object.keys(known).filter((name) => !(name in found)) : [];
  for (const name of different) process.stdout.write(`different: ${name}\n`);
  for (const name of missing) process.stdout.write(`missing: ${name}\n`);
  process.stdout.write(
    `${Object.keys(found).length} runs, ${different.length} different, ${missing.length} missing\n`,
  );
  process.exitCode = different.length + missing.length === 0 ? 0 : 1;
}
