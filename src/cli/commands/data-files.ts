import { type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import {
  adjustmentsOf,
  type BarSeries,
  backAdjust,
  continuousSeries,
  type DataSource,
  type LoadOptions,
  loadActions,
  loadExpiries,
  loadFactors,
  loadSeries,
  mergeBars,
  type SavedBars,
  saveBars,
  saveRolls,
} from '../../market/index.ts';
import { loadOptions, unmatchedWarnings } from '../../runner/index.ts';
import {
  adjustFlagsSchema,
  continuousFlagsSchema,
  convertFlagsSchema,
  mergeFlagsSchema,
  missingData,
  readFlags,
} from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';
import { showReading } from '../run-context.ts';

export type Given = Readonly<Record<string, unknown>>;

/** Returns the flags of a command. The paths given as arguments are put before the paths of `--data`. */
function withPaths(paths: readonly string[], given: Given): Given {
  const named = [...paths, ...((given.data as string[] | undefined) ?? [])];
  return { ...given, ...(named.length === 0 ? {} : { data: named }) };
}

function missing(given: Given, ...more: readonly Fault[]): Fault[] {
  const out =
    given.out === undefined
      ? [{ where: '--out', message: 'is missing. Pass an output file or a catalogue' }]
      : [];
  return [...missingData(given), ...out, ...more];
}

function reportSaved(saved: readonly SavedBars[], io: Io): void {
  for (const { place, symbols, bars } of saved) {
    const names = symbols.length > 5 ? `${symbols.slice(0, 5).join(', ')}, …` : symbols.join(', ');
    printLine(io.stdout, `wrote ${bars.toLocaleString('en-US')} bars of ${names} to ${place}`);
  }
}

/** Reads the data files that the flags of a command name, and shows the progress. */
function readSeries(
  flags: Parameters<typeof loadOptions>[0],
  io: Io,
  more: Partial<LoadOptions> = {},
): ReturnType<typeof loadSeries> {
  return showReading(io, (onRead) => loadSeries({ ...loadOptions(flags), ...more, onRead }));
}

/** `sandtable data convert`: converts data files to another format. */
export async function convertCommand(paths: readonly string[], given: Given, io: Io): Promise<void> {
  const all = withPaths(paths, given);
  const flags = readFlags(convertFlagsSchema, { out: '', ...all }, 'data convert', missing(all));
  const { series, sources, adjustments, notes = [] } = await readSeries(flags, io);
  reportSaved(await saveBars(series, flags.out, { sources, query: { command: 'data convert' } }), io);
  for (const note of notes) printLine(io.stderr, `note: ${note}`);
  for (const adjustment of adjustments) printLine(io.stderr, `adjusted: ${adjustment}`);
}

/** `sandtable data merge`: merges the bars of data files with the same symbols. */
export async function mergeCommand(paths: readonly string[], given: Given, io: Io): Promise<void> {
  const all = withPaths(paths, given);
  const flags = readFlags(mergeFlagsSchema, { out: '', ...all }, 'data merge', missing(all));
  const joined = new Map<string, BarSeries>();
  const faults: Fault[] = [];
  const sources: DataSource[] = [];
  for (const path of flags.data ?? []) {
    const loaded = await readSeries(flags, io, { paths: [path], columnsOptional: true });
    sources.push(...loaded.sources);
    for (const note of loaded.notes ?? []) printLine(io.stderr, `note: ${note}`);
    for (const one of loaded.series) {
      const before = joined.get(one.symbol);
      if (before === undefined) {
        joined.set(one.symbol, one);
        continue;
      }
      const merged = flags.prefer === 'first' ? mergeBars(one, before) : mergeBars(before, one);
      if (flags.prefer === undefined && merged.differing.length > 0)
        faults.push(differs(path, one, merged.differing));
      joined.set(one.symbol, merged.series);
    }
  }
  if (faults.length > 0)
    throw faultsError(
      'bad_data',
      'The files contradict each other',
      faults,
      'Choose the bars to use with --prefer first or --prefer last, or adjust one of the files first.',
    );
  const query = { command: 'data merge', ...(flags.prefer === undefined ? {} : { prefer: flags.prefer }) };
  reportSaved(await saveBars([...joined.values()], flags.out, { sources, query }), io);
}

const SHOWN = 3;

function differs(where: string, { symbol }: BarSeries, instants: readonly number[]): Fault {
  const shown = instants.slice(0, SHOWN).map(formatInstant).join(', ');
  const many = `${instants.length} ${instants.length === 1 ? 'bar' : 'bars'} of ${symbol}`;
  return {
    where,
    message: `${many} ${instants.length === 1 ? 'differs' : 'differ'} from those of an earlier file: ${shown}${instants.length > SHOWN ? ', …' : ''}`,
  };
}

/** `sandtable data adjust`: adjusts prices for corporate actions. */
export async function adjustCommand(paths: readonly string[], given: Given, io: Io): Promise<void> {
  const all = withPaths(paths, given);
  const flags = readFlags(
    adjustFlagsSchema,
    { out: '', ...all },
    'data adjust',
    missing(all, ...ruleFaults(all)),
  );
  const { series, sources, omitted, notes = [] } = await readSeries(flags, io);
  const { actions } =
    flags.actions === undefined ? { actions: [] } : await loadActions(flags.actions, flags.maxUnpacked);
  const factors =
    flags.factors === undefined ? new Map() : await loadFactors(flags.factors, flags.maxUnpacked);
  const own = {
    file: flags.actions ?? flags.factors ?? '',
    symbols: flags.factors === undefined ? actions.map(({ symbol }) => symbol) : [...factors.keys()],
  };
  const known = new Set([...series.map(({ symbol }) => symbol), ...omitted]);
  for (const warning of [...notes, ...unmatchedWarnings([own], known, [])])
    printLine(io.stderr, `note: ${warning}`);
  const adjusted = series.map((one) => {
    const steps =
      flags.factors === undefined ? adjustmentsOf(one, actions, flags.for) : (factors.get(one.symbol) ?? []);
    printLine(
      io.stderr,
      `${one.symbol}: ${steps.length} ${steps.length === 1 ? 'adjustment' : 'adjustments'}`,
    );
    return backAdjust(one, steps);
  });
  const query = { command: 'data adjust', by: own.file, for: flags.for ?? 'all' };
  reportSaved(await saveBars(adjusted, flags.out, { sources, query }), io);
}

function ruleFaults({ actions, factors, for: kinds }: Given): Fault[] {
  if (actions === undefined && factors === undefined)
    return [
      { where: '--actions', message: 'is missing. Pass a file of actions, or of factors with --factors' },
    ];
  if (actions !== undefined && factors !== undefined)
    return [
      {
        where: '--factors',
        message: 'cannot be combined with --actions: prices would be adjusted twice. Remove one of them',
      },
    ];
  if (factors !== undefined && kinds !== undefined)
    return [
      {
        where: '--for',
        message: 'cannot be combined with --factors, which contains all adjustments. Remove one of them',
      },
    ];
  return [];
}

const NEEDED = {
  name: 'is missing. Pass the symbol of the series, for example ES',
  expiries: 'is missing. Pass a file with the expiries: contract,expiry',
  roll: 'is missing. Pass a roll rule: volume, days:5 or dates',
  adjust: 'is missing. Pass how bars before a roll are adjusted: back, ratio or none',
  rolls: 'is missing. Pass a .csv file for the rolls, which a run reads with --rolls',
  out: 'is missing. Pass an output file or a catalogue',
} as const;

/** `sandtable data continuous`: joins futures contracts to one continuous series. */
export async function continuousCommand(paths: readonly string[], given: Given, io: Io): Promise<void> {
  const all = withPaths(paths, given);
  const missing = Object.entries(NEEDED).flatMap(([name, message]): Fault[] =>
    all[name] === undefined ? [{ where: `--${name}`, message }] : [],
  );
  const stand = { name: 'X', expiries: '', roll: 'volume', adjust: 'none', rolls: '', out: '' };
  const flags = readFlags(continuousFlagsSchema, { ...stand, ...all }, 'data continuous', [
    ...missingData(all),
    ...missing,
  ]);
  const { name: symbol, roll, adjust } = flags;
  const { series: contracts, sources, omitted, notes = [] } = await readSeries(flags, io);
  const expiries = await loadExpiries(flags.expiries, flags.maxUnpacked);
  const own = { file: flags.expiries, symbols: expiries.map(({ contract }) => contract) };
  const known = new Set([...contracts.map((one) => one.symbol.toUpperCase()), ...omitted]);
  for (const warning of [...notes, ...unmatchedWarnings([own], known, [])])
    printLine(io.stderr, `note: ${warning}`);
  const { series, rolls } = continuousSeries(contracts, { symbol, expiries, roll, adjust });
  const from = sources.map((source) => ({ ...source, symbols: [symbol] }));
  const query = { command: 'data continuous', roll: String(given.roll), adjust };
  reportSaved(await saveBars([series], flags.out, { sources: from, query }), io);
  await saveRolls(rolls, flags.rolls);
  printLine(io.stdout, `wrote ${rolls.length} ${rolls.length === 1 ? 'roll' : 'rolls'} to ${flags.rolls}`);
}
