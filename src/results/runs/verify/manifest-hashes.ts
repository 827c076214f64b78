import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jsonText, sha256OfFile } from '../files.ts';
import type { Manifest } from '../manifest.ts';
import { filesBelow } from './archive.ts';

/** Files that are computed from the journal, state times of the machine, or belong to a process. */
const NOT_LISTED =
  /^(journal\.jsonl|manifest\.json|equity\.csv|trades\.csv|summary\.json|report\.html|timing\.json|notes\.json|run\.lock|other-answer\.json|.*\.tmp)$/;

/**
 * Adds the hashes of the run's other files to a manifest, and the hash of the manifest itself, so that an edit of
 * any of their bytes is found.
 */
export function withHashes(manifest: Manifest, folder: string): Manifest {
  const files = filesBelow(folder)
    .filter((file) => !NOT_LISTED.test(file))
    .map((file) => ({ file, sha256: sha256OfFile(join(folder, file)) }));
  const listed = { ...manifest, folder: files };
  return { ...listed, sha256: hashOf(jsonText(listed)) };
}

/** Returns true if a manifest has the hash that it states. `undefined` if an earlier version wrote no hash. */
export function hasOwnHash({ sha256, ...rest }: Manifest): boolean | undefined {
  if (sha256 === undefined) return rest.folder === undefined ? undefined : false;
  return hashOf(jsonText(rest)) === sha256;
}

/** Returns the problems of the files that a manifest lists, by their name. */
export function changedFiles({ folder: files = [] }: Manifest, folder: string): Map<string, string> {
  const problems = new Map<string, string>();
  for (const { file, sha256 } of files) {
    const path = join(folder, file);
    if (!existsSync(path)) problems.set(file, 'is missing, but manifest.json lists it');
    else if (sha256OfFile(path) !== sha256)
      problems.set(file, `has the SHA-256 ${sha256OfFile(path)}, but manifest.json records ${sha256}`);
  }
  return problems;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
