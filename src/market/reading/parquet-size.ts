import { type Database, sqlName, sqlPath } from './database.ts';
import { isTooMuch, tooMuch } from './file-bytes.ts';

/** Memory of the smallest value in bytes. A repeated value needs almost no space in the file. */
const SMALLEST_VALUE = 8;
/** Types whose values are always short as text. */
const SHORT =
  /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|DATE|TIME.*|TIMESTAMP.*|UUID)$/;
/** Memory that reading may need in addition to the values, in MB. */
const BESIDE = 256;

/**
 * Returns the reason why a Parquet file is too large to be read, as a message for the user.
 *
 * The metadata (rows, values, bytes of pages) are checked first. Repeated texts need almost no space in the
 * file, so the lengths of texts are then counted without storing them. A file with wrong metadata reaches the
 * memory limit of this count.
 *
 * @param limit maximum unpacked size in MB
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
