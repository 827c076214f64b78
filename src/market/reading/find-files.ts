import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Fault, messageOf } from '../../kernel/index.ts';
import type { Database } from './database.ts';
import { specialFileFault } from './file-bytes.ts';

export const DATA_FILE = /\.(csv|tsv|parquet|pq|json|ndjson|jsonl)(\.gz)?$/i;
const GLOB = /[*?[]/;

export interface FoundFiles {
  /** Paths in the form in which the user would give them, sorted, without duplicates. */
  readonly files: readonly string[];
  readonly faults: Fault[];
}

/** Resolves files, folders (their direct data files) and globs. Paths without files are faults. */
export async function findFiles(database: Database, paths: readonly string[]): Promise<FoundFiles> {
  const files: string[] = [];
  const faults: Fault[] = [];
  for (const named of paths) {
    const found = await resolveOne(database, named);
    if (Array.isArray(found)) files.push(...found);
    else faults.push(found as Fault);
  }
  const seen = new Set<string>();
  const regular: string[] = [];
  for (const file of files) {
    const absolute = path.resolve(file);
    if (seen.has(absolute)) continue;
    seen.add(absolute);
    // A file that cannot be examined is reported when it is read.
    const fault = await specialFileFault(file).catch(() => undefined);
    if (fault === undefined) regular.push(file);
    else faults.push(fault);
  }
  return { files: regular, faults };
}

async function resolveOne(database: Database, named: string): Promise<string[] | Fault> {
  if (named.trim() === '')
    return { where: '--data', message: 'an empty path', hint: 'name a file, a folder or a glob' };
  try {
    const entry = await stat(named);
    if (entry.isDirectory()) return await filesOfFolder(named);
    return [named];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      return { where: named, message: `cannot be read (${messageOf(error)})` };
  }
  if (!GLOB.test(named)) return { where: named, message: 'the file or folder does not exist' };
  const matches = (await database.glob(named)).filter((file) => !path.basename(file).startsWith('.'));
  if (matches.length > 0) return matches.sort();
  return { where: named, message: 'no file matches' };
}

async function filesOfFolder(folder: string): Promise<string[] | Fault> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
  const files = names.filter((name) => DATA_FILE.test(name)).sort();
  if (files.length > 0) return files.map((name) => path.join(folder, name));
  return {
    where: folder,
    message: 'the folder contains no data file (.csv, .tsv, .parquet, .json, .ndjson; .gz of text files)',
  };
}

/** Returns the symbol of a file without a symbol column: its base name in capitals (`BRK.B.csv` is BRK.B). */
export function symbolOfFile(file: string): string {
  const name = path.basename(file);
  return name
    .replace(/\.gz$/i, '')
    .replace(/\.(csv|tsv|txt|psv|parquet|pq|json|ndjson|jsonl)$/i, '')
    .toUpperCase();
}
