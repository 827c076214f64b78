import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError, messageOf, parseJsonInput } from '../../kernel/index.ts';

const text = z.string();

/** Schema of `manifest.json` for one symbol and interval in a catalogue. */
const catalogManifestSchema = z.strictObject({
  schema: z.literal(1),
  symbol: text,
  interval: text,
  /** Additional numeric columns of its bars. */
  columns: z.array(text),
  parts: z.array(
    z.strictObject({
      file: text.regex(/^(all|\d{4})\.parquet$/),
      sha256: text,
      bars: z.number().int().min(1),
      firstBar: text,
      lastBar: text,
    }),
  ),
  /** Requests to data sources, oldest first. */
  obtained: z.array(
    z.strictObject({
      source: text,
      /** Parameters of the request, without keys. */
      query: z.record(text, text),
      /** Time of the answer. */
      time: text,
      /** First and last date of the answer, both included. */
      from: text,
      to: text,
      bars: z.number().int().min(0),
      /** SHA-256 of the answer or the file, in hex. */
      sha256: text,
    }),
  ),
});

export type CatalogManifest = z.infer<typeof catalogManifestSchema>;

export const MANIFEST_FILE = 'manifest.json';

/**
 * @param folder folder of one symbol
 * @returns undefined without a manifest
 * @throws AppError `bad_catalog`
 */
export function readManifest(folder: string): CatalogManifest | undefined {
  const file = path.join(folder, MANIFEST_FILE);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw badCatalog(`${file} cannot be read (${messageOf(error)})`, error);
  }
  try {
    return catalogManifestSchema.parse(parseJsonInput(content));
  } catch (error) {
    throw badCatalog(`${file} is not the manifest of a catalogue`, error);
  }
}

export function badCatalog(message: string, cause?: unknown): AppError {
  return new AppError({
    code: 'bad_catalog',
    message: `The catalogue cannot be used: ${message}.`,
    hint: 'Move this folder away, then download or convert its data again.',
    cause,
  });
}
