import { type Database, sqlName, sqlPath } from './database.ts';
import { isTooMuch, tooMuch } from './file-bytes.ts';

/** Bytes of memory that the smallest value takes: one that a file repeats takes next to none there. */
const SMALLEST_VALUE = 8;
/** Texts of these types are short, whatever the value. */
const SHORT =
  /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|DATE|TIME.*|TIMESTAMP.*|UUID)$/;
/** What reading may hold beside the values themselves, in MB. */
const BESIDE = 256;

/**
 * What makes a Parquet file too large to be read, in words for the user.
 *
 * By what it says of itself first (rows, values, bytes of its pages), and then, since a short text may be repeated for
 * nothing and a long one too, by the texts themselves, which are counted without being kept. A file that lies about its
 * pages meets the limit of memory under which it is counted.
 *
 * @param limit MB that it may unpack to
 */
export async function parquetFault(
  database: Database,
  file: string,
  limit: number,
): Promise<string | undefined> {
  const path = sqlPath(file);
  const [said] = await database.rows(`SELECT
    (SELECT coalesce(sum(num_rows), 0)::DOUBLE FROM parquet_file_metadata(${path})),
    (SELECT coalesce(sum(num_values), 0)::DOUBLE FROM parquet_metadata(${path})),
    (SELECT coalesce(sum(total_uncompressed_size), 0)::DOUBLE FROM parquet_metadata(${path}))`);
  const [rows, values, bytes] = said as [number, number, number];
  if (isTooMuch(Math.max(bytes, values * SMALLEST_VALUE), rows, limit)) return tooMuch('Parquet file', limit);
  const columns = await database.rows(
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(${path}))`,
  );
  const long = columns.filter(([, type]) => !SHORT.test(String(type))).map(([name]) => sqlName(String(name)));
  if (long.length === 0) return undefined;
  const lengths = long.map((name) => `coalesce(sum(strlen(${name}::VARCHAR)), 0)`).join(' + ');
  await database.run(`SET memory_limit = '${limit * 2 + BESIDE}MB'`);
  try {
    const [counted] = await database.rows(`SELECT (${lengths})::DOUBLE FROM read_parquet(${path})`);
    return isTooMuch(counted![0] as number, rows, limit) ? tooMuch('Parquet file', limit) : undefined;
  } catch (error) {
    if (error instanceof Error && /out of memory/i.test(error.message)) return tooMuch('Parquet file', limit);
    throw error;
  } finally {
    await database.run('RESET memory_limit');
  }
}
