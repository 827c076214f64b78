import { AppError } from '../../kernel/index.ts';
import { csvText, queryRuns, textTable } from '../../reports/index.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';

export interface QueryFlags {
  readonly reports?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** `sandtable query "select …"`: SQL over all runs, read only. */
export async function queryCommand(sql: string, flags: QueryFlags, io: Io): Promise<void> {
  if (flags.json === true && flags.csv === true) {
    throw new AppError({
      code: 'bad_flags',
      message: 'sandtable query prints one form: --json or --csv.',
      remedy: 'Leave one out.',
    });
  }
  const { columns, rows, notes } = await queryRuns(flags.reports ?? 'reports', sql);
  for (const note of notes) printLine(io.stderr, `note: ${note}`);
  if (flags.json === true) {
    const objects = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    printLine(io.stdout, JSON.stringify(objects, null, 2));
  } else if (flags.csv === true) {
    io.stdout.write(csvText([columns, ...rows.map((row) => row.map((value) => String(value ?? '')))]));
  } else {
    const style = {
      // A file or a pipe has no width: nothing is cut off for it.
      width: io.stdout.isTTY === true ? widthOf(io.stdout, io.env) : Number.POSITIVE_INFINITY,
      colour: mayColour(io.stdout, io.env),
      ascii: io.env.TERM === 'dumb',
    };
    printLine(io.stdout, textTable(columns, rows, style));
  }
}
