import { join } from 'node:path';
import { AppError, writeData } from '../../kernel/index.ts';
import {
  type CalendarReport,
  checkData,
  intervalWords,
  loadActions,
  type MissingDays,
  parseInterval,
  readCalendar,
  type SeriesReport,
  type SimulationOptions,
  simulateMarket,
  toCsv,
  tradingCalendar,
} from '../../market/index.ts';
import { loadOptions, unmatchedWarnings } from '../../runner/index.ts';
import { checkFlagsSchema, missingData, readFlags, simulateFlagsSchema } from '../flags/flags.ts';
import { type Io, printLine, writeNamedFile } from '../io.ts';
import { showReading } from '../run-context.ts';

/** `sandtable data check`: checks data files for faults. */
export async function checkCommand(
  paths: readonly string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<void> {
  const named = [...paths, ...((given.data as string[] | undefined) ?? [])];
  const all = { ...given, ...(named.length === 0 ? {} : { data: named }) };
  const flags = readFlags(checkFlagsSchema, all, 'data check', missingData(all));
  const calendar =
    flags.calendar === undefined
      ? undefined
      : tradingCalendar(await readCalendar(flags.calendar, flags.maxUnpacked));
  const actions =
    flags.actions === undefined ? [] : (await loadActions(flags.actions, flags.maxUnpacked)).actions;
  const checked = await showReading(io, (onRead) =>
    checkData(
      { ...loadOptions(flags), onRead },
      { ...(calendar === undefined ? {} : { calendar }), timezone: flags.timezone, actions },
    ),
  );
  const { omitted, ...report } = checked;
  if (flags.actions !== undefined) {
    const own = { file: flags.actions, symbols: actions.map(({ symbol }) => symbol) };
    const known = new Set([...report.symbols.map(({ symbol }) => symbol), ...omitted]);
    for (const warning of unmatchedWarnings([own], known, [])) printLine(io.stderr, `note: ${warning}`);
  }
  if (flags.json === true) {
    printLine(io.stdout, JSON.stringify(report, null, 2));
    return;
  }
  for (const symbol of report.symbols) printLine(io.stdout, describe(symbol));
  for (const line of missingLines(report.missing)) printLine(io.stdout, line);
  if (report.mixed !== null) printLine(io.stdout, `mixed: ${report.mixed}`);
  for (const note of report.notes) printLine(io.stdout, `note: ${note}`);
  for (const adjustment of report.adjustments) printLine(io.stdout, `adjusted: ${adjustment}`);
}

function describe(report: SeriesReport): string {
  const { symbol, bars, firstBar, lastBar, interval, medianSpacing, largestGap, warnings } = report;
  const { gapsInDays, stubSessions } = report;
  const lines = [
    `${symbol}: ${bars.toLocaleString('en-US')} ${bars === 1 ? 'bar' : 'bars'}, ${firstBar} to ${lastBar}`,
  ];
  if (interval !== null) {
    const spacing = medianSpacing === null ? '' : `; one every ${span(medianSpacing)} (median)`;
    lines.push(`  a bar lasts ${intervalWords(parseInterval(interval))}${spacing}`);
  }
  if (gapsInDays > 0) lines.push(`  ${gapsInDays} ${gapsInDays === 1 ? 'gap' : 'gaps'} within days`);
  if (stubSessions.length > 0) {
    const found = stubSessions.map(({ weekday, sessions }) => `${sessions} on ${weekday}`).join(', ');
    lines.push(`  stub sessions, with fewer than half of the usual bars: ${found}`);
  }
  if (largestGap !== null) {
    lines.push(`  longest gap ${span(largestGap.milliseconds)}: ${largestGap.from} to ${largestGap.to}`);
  }
  if (report.calendar !== undefined) lines.push(...calendarLines(report.calendar));
  lines.push(
    warnings.length === 0
      ? '  nothing suspicious'
      : warnings.map((warning) => `  warning: ${warning}`).join('\n'),
  );
  return lines.join('\n');
}

const MOST_GROUPS = 5;
const MOST_SHOWN = 5;

/**
 * Returns one line for each group of two or more symbols that have no bar on the same days. Days on which all
 * symbols have no bar are not counted.
 */
function missingLines(missing: readonly MissingDays[]): string[] {
  const groups = missing.filter(({ symbols }) => symbols.length > 1);
  const short = (texts: readonly string[]): string =>
    `${texts.slice(0, MOST_SHOWN).join(', ')}${texts.length > MOST_SHOWN ? ', …' : ''}`;
  const lines = groups.slice(0, MOST_GROUPS).map(({ symbols, others, days }) => {
    const have = others === 1 ? '1 other symbol has' : `${others} or more other symbols have`;
    const many = `${days.length} ${days.length === 1 ? 'day' : 'days'}`;
    return `missing: ${symbols.length} symbols (${short(symbols)}) have no bar on ${many} on which ${have} a bar: ${short(days)}`;
  });
  const more = groups.length - lines.length;
  return more > 0 ? [...lines, `missing: ${more} more groups of symbols; --json lists all`] : lines;
}

function calendarLines({ calendar, sessions, missing, closed, halfDays }: CalendarReport): string[] {
  const named = (days: readonly string[], unit: string, what = ''): string[] =>
    days.length === 0
      ? []
      : [
          `  ${days.length} ${unit}${days.length === 1 ? '' : 's'}${what}: ${days.slice(0, 10).join(', ')}${days.length > 10 ? ', …' : ''}`,
        ];
  return [
    `  ${calendar} has ${sessions} sessions in this period`,
    ...named(missing, 'session', ' without a bar'),
    ...named(closed, 'day', ` with bars on which ${calendar} is closed`),
    ...named(halfDays, 'half day'),
  ];
}

function span(milliseconds: number): string {
  const units: [number, string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ];
  for (const [size, name] of units) {
    const count = Math.round((milliseconds / size) * 10) / 10;
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'}`;
  }
  return `${milliseconds} ms`;
}

/** `sandtable data simulate`: generates random bars. */
export function simulateCommand(given: unknown, io: Io): void {
  const { out, ...flags } = readFlags(simulateFlagsSchema, given, 'data simulate');
  const options = Object.fromEntries(
    Object.entries({ seed: 0, bars: 500, ...flags }).filter(([, value]) => value !== undefined),
  );
  const { series } = simulateMarket(options as SimulationOptions);
  const [first] = series;
  if (out === undefined) {
    if (series.length > 1 || first === undefined) {
      throw new AppError({
        code: 'bad_flags',
        message: 'Standard output supports the CSV of one symbol only.',
        hint: 'Pass an output folder with --out.',
      });
    }
    writeData(io.stdout, toCsv(first));
    return;
  }
  const asFile = series.length === 1 && out.toLowerCase().endsWith('.csv');
  for (const one of series) {
    const file = asFile ? out : join(out, `${one.symbol}.csv`);
    const hint = 'Choose another path with --out.';
    writeNamedFile(file, toCsv(one), { code: 'file_unwritable', hint, makesFolder: true });
    printLine(io.stderr, `wrote ${one.time.length} bars of ${one.symbol} to ${file}`);
  }
}
