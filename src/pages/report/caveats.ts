import { DOORS, type Json, openDoorsOf } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { isObject } from '../../kernel/index.ts';
import {
  ambiguityOf,
  FIGURES,
  type FigureEntry,
  type FigureName,
  type Metrics,
  primaryResultText,
  reducedOrdersOf,
  registrationText,
  resolveOf,
} from '../../results/analysis/index.ts';
import type { DataSource, Manifest } from '../../results/runs/index.ts';
import { amount, integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { table } from './figure-table.ts';

/** Number of closed trades below which a win rate means little, so that the page warns. */
const FEW_TRADES = 30;

/** Limitation that readers must know before they rely on a run's figures. */
export interface Caveat {
  readonly text: string;
  /** True if the page shows the caveat above all other content. */
  readonly isSevere: boolean;
  /** True if the caveat hardly affects the result. */
  readonly isSmall: boolean;
}

/** Returns the caveats of a run, the most important first. */
export function caveatsOf(record: RunRecord, metrics: Metrics, manifest: Manifest | undefined): Caveat[] {
  const doors = manifest?.openDoors ?? openDoorsOf(record.started);
  // Open doors are ways in which unrecorded information could influence the run. Usually only the code of the
  // strategy is one, which is a normal caveat. Other open doors are shown above the figures.
  const isUsual = doors.every((door) => door === DOORS.strategyCode);
  const loud = [...record.damage, common(metrics), isUsual ? undefined : sealed(doors), stamps(record)];
  const other = [
    registered(manifest, metrics),
    heldOut(manifest),
    ambiguity(record),
    reduced(record),
    costs(record, metrics),
    model(record, manifest),
    luck(metrics),
    trades(record, metrics),
    metrics.underAYear && record.bars.length > 0
      ? 'The run covers less than a year: figures a year are stretched from less.'
      : undefined,
    ...(manifest?.data.adjustments ?? []).map((line) => `Loading changed the data: ${line}`),
    manifest === undefined
      ? 'There is no manifest, as after a kill: which data file and which version made the run is unknown.'
      : undefined,
    isUsual ? sealed(doors) : undefined,
  ];
  const those = (
    lines: readonly (string | undefined)[],
    marks: { readonly isSevere?: true; readonly isSmall?: true },
  ): Caveat[] =>
    lines
      .filter((line) => line !== undefined)
      .map((text) => ({ text, isSevere: false, isSmall: false, ...marks }));
  return [
    ...those(loud, { isSevere: true }),
    ...those(other, {}),
    ...those([openTrades(record)], { isSmall: true }),
  ];
}

function common({ commonPeriod: common, totalReturn }: Metrics): string | undefined {
  if (common === null) return undefined;
  return `The benchmark covers only ${common.firstBar} to ${common.lastBar}: every figure against it is of those ${integer(common.bars)} bars. The run returned ${signedPercent(common.ownReturn)} on them, and ${signedPercent(totalReturn.value)} in all.`;
}

function sealed(doors: readonly string[]): string | undefined {
  return doors.length === 0
    ? undefined
    : `This run is not sealed: ${doors.join(', ')}. Its results may depend on what it does not name.`;
}

/**
 * Returns the hypothesis that was registered before the run, with its result. `undefined` if nothing was
 * registered.
 */
function registered(manifest: Manifest | undefined, metrics: Metrics): string | undefined {
  const registration = manifest?.inputs?.registration;
  if (registration === undefined) return undefined;
  const figureOf = (name: FigureName): number | string | null => {
    const { metric = name }: FigureEntry = FIGURES[name];
    const found: unknown = Reflect.get(metrics, metric);
    const value: unknown = isObject(found) ? found.value : undefined;
    return typeof value === 'number' || typeof value === 'string' ? value : null;
  };
  return `${registrationText(registration, 'run')} ${primaryResultText(registration, figureOf)}`;
}

function heldOut(manifest: Manifest | undefined): string | undefined {
  const { holdout } = manifest?.data ?? {};
  return holdout?.earlierLooks === 0
    ? `The bars from ${holdout.from} on were held out by a sweep. This run is the first look at them ${holdout.project === undefined ? 'with this strategy' : `in the project "${holdout.project}"`}, and the only one that is out of sample.`
    : undefined;
}

function stamps({ started: { stamps: given = [] } }: RunRecord): string | undefined {
  return given.length === 0 ? undefined : `Stamped: ${given.join(', ')}.`;
}

function costs(record: RunRecord, metrics: Metrics): string | undefined {
  if (record.fills.length === 0) return undefined;
  const [commission, slippage] = [Number(metrics.commission.value ?? 0), Number(metrics.slippage.value ?? 0)];
  if (commission === 0 && slippage === 0)
    return 'Trading cost nothing in this run: neither commission nor slippage was set. Real trading costs both.';
  if (commission === 0) return 'No commission was set.';
  return slippage === 0 ? 'No slippage was set: every market order filled at the open itself.' : undefined;
}

function trades(record: RunRecord, metrics: Metrics): string | undefined {
  const count = metrics.tradeCount.value ?? 0;
  if (record.bars.length === 0 || count >= FEW_TRADES) return undefined;
  if (count === 0) return 'No trade was closed.';
  return `${count === 1 ? 'One trade was' : `Only ${count} trades were`} closed: too few to tell skill from luck.`;
}

/**
 * Level for the probability that the true Sharpe ratio is positive. Below it, a gain is reported as possibly
 * luck.
 */
const USUAL_PSR = 0.95;

function luck({ psr, sharpe, totalReturn }: Metrics): string | undefined {
  if (psr.value === null || psr.value >= USUAL_PSR || (totalReturn.value ?? 0) <= 0) return undefined;
  return `Chance may explain the gain: the probability that the Sharpe ratio of ${ratio(sharpe.value)} is truly above 0 is ${percent(psr.value, 0)}.`;
}

function reduced(record: RunRecord): string | undefined {
  const count = reducedOrdersOf(record);
  if (count === 0) return undefined;
  return `${integer(count)} ${count === 1 ? 'order was' : 'orders were'} filled with fewer units than the fraction of equity asked for: buying power, commission counted, carried no more.`;
}

function ambiguity(record: RunRecord): string | undefined {
  const { ambiguousBars, ambiguousFills, ambiguityDifference } = ambiguityOf(record);
  if (ambiguousBars === 0) return undefined;
  const best = resolveOf(record) === 'best';
  return `${integer(ambiguousBars)} of ${integer(record.bars.length)} bars allow several outcomes, and ${integer(ambiguousFills)} of ${integer(record.fills.length)} fills are not in all of them. The ${best ? 'better' : 'worse'} was booked in each; the other equities at those bars' closes differ by ${amount(ambiguityDifference)} together, which does not bound the run: sandtable run --resolve both shows the run with either answer.`;
}

function model({ models, started }: RunRecord, manifest: Manifest | undefined): string | undefined {
  if (models.length === 0) return undefined;
  const names = [...new Set(models.map((one) => one.model))].join(', ');
  const who = models.length === 1 ? 'A model' : 'Models';
  const cutoff = manifest?.inputs?.flags.modelCutoff;
  if (typeof cutoff === 'string')
    return `${who} decided (${names}), trained on data up to ${cutoff}: of bars before that day ${models.length === 1 ? 'it' : 'they'} may know how they went on.`;
  const masked = started.mask === undefined ? '' : ', though the run was masked';
  return `${who} decided (${names}): bars from before the end of training may be known to ${models.length === 1 ? 'it' : 'them'}, and how they went on${masked}.`;
}

function openTrades({ openTrades: open }: RunRecord): string | undefined {
  if (open.length === 0) return undefined;
  return `${open.length === 1 ? 'One trade was' : `${open.length} trades were`} open at the end, valued at the last close; closing would cost a little more.`;
}

/** Returns the section with the caveats and with all inputs needed to reproduce the run. */
export function provenance(
  record: RunRecord,
  manifest: Manifest | undefined,
  caveats: readonly Caveat[],
): Html {
  const { started } = record;
  const doors = manifest?.openDoors ?? openDoorsOf(started);
  const facts: (readonly [string, string])[] = [
    ['Outcome', record.outcome],
    ['Sealed', doors.length === 0 ? 'yes: nothing outside could change a result' : `no: ${doors.join(', ')}`],
    ['Strategy', `${started.strategy.name} (${started.strategy.kind})`],
    ...(manifest?.strategy.file === undefined || manifest.strategy.file === null
      ? []
      : ([
          ['Strategy file', `${manifest.strategy.file}, SHA-256 ${manifest.strategy.sha256 ?? '–'}`],
        ] as const)),
    ...entriesOf('Parameter', started.strategy.parameters),
    ...entriesOf('Setting', started.settings),
    ...(manifest?.data.sources ?? []).map((source) => ['Data', sourceText(source)] as const),
    ...(manifest?.data.detail ?? []).map((source) => ['Finer bars', sourceText(source)] as const),
    ...(manifest?.data.actions
      ? ([
          [
            'Corporate actions',
            `${manifest.data.actions.file}: ${manifest.data.actions.actions}, SHA-256 ${manifest.data.actions.sha256}`,
          ],
        ] as const)
      : []),
    ...(manifest?.data.futures ?? []).map(
      ({ file, kind, rows, sha256 }) =>
        [kind === 'rolls' ? 'Rolls' : 'Funding', `${file}: ${rows}, SHA-256 ${sha256}`] as const,
    ),
    ...(manifest?.data.adjustments ?? []).map((line) => ['Changed in the data', line] as const),
    ...Object.entries(manifest?.versions ?? {}).map(([name, version]) => [name, version] as const),
    ...(manifest?.journal.sha256 ? ([['Journal', `SHA-256 ${manifest.journal.sha256}`]] as const) : []),
  ];
  return html`<ul class="belief">${[
    ...caveats.map(({ text }) => html`<li class="against">${text}</li>`),
    ...speaksForIt(record, manifest).map((text) => html`<li class="for">${text}</li>`),
  ]}</ul><details><summary>Everything the run was made of</summary>${table(
    'What the run was made of',
    ['What', 'Value'],
    facts.map(([name, value]) => [name, html`<span class="wrap">${value}</span>`]),
  )}</details>`;
}

function speaksForIt(record: RunRecord, manifest: Manifest | undefined): string[] {
  const { started, fills, rejections } = record;
  const doors = manifest?.openDoors ?? openDoorsOf(started);
  const isUsual = (started.stamps ?? []).length === 0;
  const lines = [
    record.outcome === 'completed' ? 'The run processed all of its bars.' : undefined,
    isUsual && doors.length > 0 && !doors.some((door) => door.startsWith('signals'))
      ? 'The engine showed no decision a bar that had not closed, and every order filled on a later bar, inside its high and low.'
      : undefined,
    isUsual && doors.length === 0
      ? 'No decision saw a bar that had not closed, and every order filled on a later bar, inside its high and low.'
      : undefined,
    doors.length === 0 && manifest !== undefined
      ? 'Sealed: data, strategy, settings and versions decide every figure. npx sandtable replay runs it again and compares it byte for byte.'
      : undefined,
    fills.length > 0 && ambiguityOf(record).ambiguousBars === 0
      ? 'No bar was ambiguous: every path that the bars allow gives these fills.'
      : undefined,
    rejections.length > 0
      ? `${rejections.length} of the orders were refused, with their reasons in “Orders and decisions”.`
      : undefined,
  ];
  return lines.filter((line) => line !== undefined);
}

function sourceText({ file, symbols, bars, firstBar, lastBar, sha256 }: DataSource): string {
  const hash = sha256 === null ? '' : `, SHA-256 ${sha256}`;
  return `${file ?? 'simulated'}: ${symbols.join(', ')}, ${bars} bars, ${firstBar} to ${lastBar}${hash}`;
}

function entriesOf(kind: string, value: Json): (readonly [string, string])[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return Object.entries(value).map(([name, entry]) => [
    `${kind} ${name}`,
    typeof entry === 'string' ? entry : JSON.stringify(entry),
  ]);
}
