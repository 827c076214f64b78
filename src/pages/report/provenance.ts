import { ambiguityOf } from '../../analysis/index.ts';
import { type Json, openDoorsOf } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { DataSource, Manifest } from '../../runs/index.ts';
import { type Html, html } from '../shared/html.ts';
import type { Caveat } from './caveats.ts';
import { table } from './sections.ts';

/** Returns the section with the caveats and with all inputs that are necessary to reproduce the run. */
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
    isUsual && doors.length > 0
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
      ? `${rejections.length} of the orders were refused, with their reasons in “What the strategy did”.`
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
