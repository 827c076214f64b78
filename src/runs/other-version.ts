import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, isObject, parseJsonInput, textOf, version } from '../kernel/index.ts';
import { INPUTS_SCHEMA } from './inputs-schema.ts';

/**
 * Throws if another version of Sandtable wrote the run folder in a different format. Nothing in the folder is
 * changed.
 *
 * @throws AppError `other_version`, `damaged_manifest` if the manifest is not a JSON object
 */
export function checkRunVersion(folder: string): void {
  const file = join(folder, 'manifest.json');
  const manifest = jsonIn(file);
  if (!isObject(manifest) && existsSync(file))
    throw new AppError({
      code: 'damaged_manifest',
      message: `${file} is ${manifest === undefined ? 'not JSON' : 'no JSON object'}: it was changed or cut after the run wrote it.`,
      hint: 'Put the file back as it was. Without it (move it away) the run is read from its journal.jsonl alone, and nobody can tell whether that was changed.',
    });
  for (const [name, value] of [
    ['manifest.json', manifest],
    ['inputs.json', jsonIn(join(folder, 'inputs.json'))],
  ] as const) {
    if (!isObject(value) || value.schema === INPUTS_SCHEMA || typeof value.schema !== 'number') continue;
    const versions = isObject(manifest) && isObject(manifest.versions) ? manifest.versions : {};
    const writer = textOf(versions.sandtable);
    const kind = value.schema > INPUTS_SCHEMA ? 'a newer' : 'an older';
    throw new AppError({
      code: 'other_version',
      message: `${join(folder, name)} is of schema ${value.schema}, which ${kind} Sandtable wrote; this one, ${version()}, reads schema ${INPUTS_SCHEMA}.`,
      hint: `Use ${writer === '' ? 'the version that wrote it' : `npx sandtable@${writer}`} for this run, or run the backtest again with this version. Nothing in the folder was changed.`,
    });
  }
}

function jsonIn(file: string): unknown {
  try {
    return parseJsonInput(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
