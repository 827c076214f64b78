import path from 'node:path';

/** Value in a result row. Every query casts its columns to one of these types. */
type Value = string | number | null | readonly (string | null)[];

/** In-memory DuckDB that reads local files and cannot access the network. */
export interface Database {
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<Value[][]>;
  /** Visits every value of a result, column by column, without creating rows. Rows are numbered from 0. */
  visit(sql: string, onValue: (value: Value, column: number, row: number) => void): Promise<void>;
  /** Appends rows to a table with one text column and several number columns. All rows get the same text. */
  append(table: string, text: string, columns: readonly Float64Array[]): Promise<void>;
  glob(pattern: string): Promise<string[]>;
  close(): void;
}

/** Number of rows that DuckDB appends in one step. */
const CHUNK = 2_048;

/** Opens the database. DuckDB is loaded on demand, because loading takes 0.2 seconds. */
export async function openDatabase(): Promise<Database> {
  const { DuckDBDataChunk, DuckDBInstance, DOUBLE, VARCHAR } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    async run(sql) {
      await connection.run(sql);
    },
    async rows(sql) {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowsJS() as Value[][];
    },
    async visit(sql, onValue) {
      const result = await connection.run(sql);
      for (let first = 0; ; ) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        for (let column = 0; column < chunk.columnCount; column++) {
          chunk.visitColumnValues(column, (value, row) => onValue(value as Value, column, first + row));
        }
        first += chunk.rowCount;
      }
    },
    async append(table, text, columns) {
      const appender = await connection.createAppender(table);
      const length = columns[0]?.length ?? 0;
      for (let from = 0; from < length; from += CHUNK) {
        const count = Math.min(CHUNK, length - from);
        const chunk = DuckDBDataChunk.create([VARCHAR, ...columns.map(() => DOUBLE)], count);
        chunk.setColumnValues(0, new Array<string>(count).fill(text));
        for (const [index, column] of columns.entries())
          chunk.setColumnValues(index + 1, Array.from(column.subarray(from, from + count)));
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
    },
    async glob(pattern) {
      const found = await connection.runAndReadAll(`SELECT file FROM glob(${sqlText(pattern)})`);
      return found.getRowsJS().map(([file]) => path.normalize(String(file)));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Returns a database that is opened on first use. Plain text files are read without a database. */
export function lazyDatabase(): Database {
  let opening: Promise<Database> | undefined;
  const opened = (): Promise<Database> => {
    opening ??= openDatabase();
    return opening;
  };
  return {
    run: async (sql) => (await opened()).run(sql),
    rows: async (sql) => (await opened()).rows(sql),
    visit: async (sql, onValue) => (await opened()).visit(sql, onValue),
    append: async (table, text, columns) => (await opened()).append(table, text, columns),
    glob: async (pattern) => (await opened()).glob(pattern),
    close: () => void opening?.then((database) => database.close()),
  };
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns a file's absolute path for DuckDB. Escapes `*?[`, which DuckDB would treat as a pattern. */
export function sqlPath(file: string): string {
  return sqlText(path.resolve(file).replace(/[*?[]/g, '[$&]'));
}
