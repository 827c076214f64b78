import path from 'node:path';

/** A value of a result row, after the casts in our own queries. */
type Value = string | number | null | readonly (string | null)[];

/** An in-memory DuckDB that reads local files and has no way to the network. */
export interface Database {
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<Value[][]>;
  /** Visits every value of a result, each column's from its first row to its last, without building rows. */
  visit(sql: string, onValue: (value: Value, column: number) => void): Promise<void>;
  /** Adds rows to a table of a text and numbers: one text for all of them, and the numbers in columns. */
  append(table: string, text: string, columns: readonly Float64Array[]): Promise<void>;
  glob(pattern: string): Promise<string[]>;
  close(): void;
}

/** Rows that DuckDB takes at once. */
const CHUNK = 2_048;

/** Opens the database; DuckDB is loaded only now, because that takes a fifth of a second. */
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
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        for (let column = 0; column < chunk.columnCount; column++) {
          chunk.visitColumnValues(column, (value) => onValue(value as Value, column));
        }
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

/** A database that is opened when it is first asked: plain files are read without it. */
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

/** A file's absolute path for DuckDB, which would take `*?[` in it for a pattern. */
export function sqlPath(file: string): string {
  return sqlText(path.resolve(file).replace(/[*?[]/g, '[$&]'));
}
