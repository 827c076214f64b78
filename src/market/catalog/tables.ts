import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Fault, nearest } from '../../kernel/index.ts';
import { DATA_FILE } from '../find-files.ts';
import { type CatalogReference, isMeant } from './place.ts';

const SOURCE = 'source=';

/**
 * Returns the tables of a catalogue that a reference matches: `<root>/source=fred/GDP.parquet` is `@GDP` or
 * `@fred/GDP`.
 *
 * @returns a fault without a match, or if several sources have the table
 */
export async function findTables(reference: CatalogReference): Promise<readonly string[] | Fault> {
  const { root, text: where } = reference;
  const sources = (await entriesOf(root)).filter((name) => name.startsWith(SOURCE));
  const tables: { readonly name: string; readonly source: string; readonly file: string }[] = [];
  for (const folder of sources.sort())
    for (const file of (await entriesOf(path.join(root, folder))).sort())
      if (DATA_FILE.test(file) && !file.startsWith('.'))
        tables.push({
          name: file.replace(DATA_FILE, '').toUpperCase(),
          source: folder.slice(SOURCE.length).toUpperCase(),
          file: path.join(root, folder, file),
        });
  if (tables.length === 0)
    return {
      where,
      message: `the catalogue in ${root} has only bars, no other table`,
      hint: `create one with sandtable data download fred, or put files into ${path.join(root, `${SOURCE}NAME`)}`,
    };
  const found = tables.filter(
    ({ name, source }) => isMeant(name, reference) || isMeant(`${source}/${name}`, reference),
  );
  if (found.length === 0) {
    const known = [...new Set(tables.map(({ name }) => name))].sort();
    const meant = nearest(reference.pattern, known);
    const hint = meant === undefined ? `it has ${known.slice(0, 20).join(', ')}` : `did you mean @${meant}?`;
    return { where, message: `the catalogue in ${root} has no such table`, hint };
  }
  if (!reference.pattern.includes('*') && found.length > 1) {
    const hint = `choose one: ${found.map(({ name, source }) => `@${source.toLowerCase()}/${name}`).join(' or ')}`;
    return { where, message: `the catalogue in ${root} has several of them`, hint };
  }
  return found.map(({ file }) => file);
}

async function entriesOf(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
