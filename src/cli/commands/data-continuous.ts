import type { Fault } from '../../kernel/index.ts';
import { continuousSeries, loadExpiries, loadSeries, saveBars, saveRolls } from '../../market/index.ts';
import { loadOptions, unmatchedWarnings } from '../../runner/index.ts';
import { continuousFlagsSchema, missingData, readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';
import { type Given, reportSaved, withPaths } from './data-files.ts';

const NEEDED = {
  name: 'is missing. Pass the symbol of the series, for example ES',
  expiries: 'is missing. Pass a file with the expiries: contract,expiry',
  roll: 'is missing. Pass a roll rule: volume, days:5 or dates',
  adjust: 'is missing. Pass how bars before a roll are adjusted: back, ratio or none',
  rolls: 'is missing. Pass a .csv file for the rolls, which a run reads with --rolls',
  out: 'is missing. Pass an output file or a catalogue',
} as const;

/** `sandtable data continuous`. */
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
  const { series: contracts, sources, leftOut, notes = [] } = await loadSeries(loadOptions(flags));
  const expiries = await loadExpiries(flags.expiries, flags.maxUnpacked);
  const own = { file: flags.expiries, symbols: expiries.map(({ contract }) => contract) };
  const known = new Set([...contracts.map((one) => one.symbol.toUpperCase()), ...leftOut]);
  for (const warning of [...notes, ...unmatchedWarnings([own], known, [])])
    printLine(io.stderr, `note: ${warning}`);
  const { series, rolls } = continuousSeries(contracts, { symbol, expiries, roll, adjust });
  const from = sources.map((source) => ({ ...source, symbols: [symbol] }));
  const query = { command: 'data continuous', roll: String(given.roll), adjust };
  reportSaved(await saveBars([series], flags.out, { sources: from, query }), io);
  await saveRolls(rolls, flags.rolls);
  printLine(io.stdout, `wrote ${rolls.length} ${rolls.length === 1 ? 'roll' : 'rolls'} to ${flags.rolls}`);
}
