import type { Json } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { DataSource, Manifest } from '../manifest.ts';
import { type Html, html } from './html.ts';
import { table } from './sections.ts';

/** What a run was made of, enough to make it again. */
export function provenance(record: RunRecord, manifest: Manifest | undefined): Html {
  const { started } = record;
  const facts: (readonly [string, string])[] = [
    ['Outcome', record.outcome],
    ['Sealed', started.sealed ? 'yes: nothing outside could change a result' : 'no'],
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
    ...(manifest?.data.adjustments ?? []).map((line) => ['Changed in the data', line] as const),
    ...Object.entries(manifest?.versions ?? {}).map(([name, version]) => [name, version] as const),
    ...(manifest?.journal.sha256 ? ([['Journal', `SHA-256 ${manifest.journal.sha256}`]] as const) : []),
  ];
  return html`${manifest === undefined ? html`<p>There is no manifest: the run was killed before it was written.</p>` : ''}${table(
    'What the run was made of',
    ['What', 'Value'],
    facts.map(([name, value]) => [name, html`<span class="wrap">${value}</span>`]),
  )}`;
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
