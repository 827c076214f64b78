import type { Check } from '../results/runs/index.ts';
import { html } from './shared/html.ts';

/** Result of `sandtable verify`, from which the certificate is made. */
interface Certified {
  readonly target: string;
  readonly verified: boolean;
  readonly version: string;
  readonly sha256: string | undefined;
  readonly archive: readonly Check[];
  readonly runs: readonly { readonly run: string; readonly checks: readonly Check[] }[];
}

/** Explanations at the end of the certificate, in both its forms: text and page. */
const MEANING = [
  'Verified: the file follows from the journal, or from the hash that is named.',
  'Not checked: nothing was compared, for the reason given.',
  'Somebody who rewrites a whole run, hashes included, can only be found out by a signature or a hash that was published before.',
];

function verdict({ verified, runs, archive }: Certified): string {
  const checks = [...archive, ...runs.flatMap((run) => run.checks)];
  const count = (outcome: Check['outcome']): number =>
    checks.filter((check) => check.outcome === outcome).length;
  const parts = `${count('verified')} verified, ${count('failed')} failed, ${count('not checked')} not checked`;
  return `${verified ? 'Verified' : 'NOT verified'}: ${parts}.`;
}

function groupsOf({ archive, runs, target }: Certified): { title: string; checks: readonly Check[] }[] {
  return [
    ...(archive.length === 0 ? [] : [{ title: target, checks: archive }]),
    ...runs.map(({ run, checks }) => ({ title: run, checks })),
  ];
}

/** Returns the certificate as text. */
export function certificateText(result: Certified): string {
  const groups = groupsOf(result);
  const width = Math.max(...groups.flatMap(({ checks }) => checks.map(({ name }) => name.length)));
  const lines = groups.flatMap(({ title, checks }) => [
    '',
    title,
    ...checks.map(({ name, outcome, detail }) => `  ${outcome.padEnd(11)}  ${name.padEnd(width)}  ${detail}`),
  ]);
  return [
    verdict(result),
    `Sandtable ${result.version}${result.sha256 === undefined ? '' : `, archive with SHA-256 ${result.sha256}`}`,
    ...lines,
    '',
    ...MEANING,
  ].join('\n');
}

/** Returns the certificate as a page without script. */
export function certificatePage(result: Certified): string {
  const groups = groupsOf(result).map(
    ({ title, checks }) => html`<h2>${title}</h2>
<div class="wide"><table>
<thead><tr><th scope="col">Check</th><th scope="col">Result</th><th scope="col">Detail</th></tr></thead>
<tbody>${checks.map(
      ({ name, outcome, detail }) =>
        html`<tr class="${outcome.replace(' ', '-')}"><th scope="row">${name}</th><td>${outcome}</td><td>${detail}</td></tr>
`,
    )}</tbody></table></div>
`,
  );
  const hash =
    result.sha256 === undefined ? '' : html`<p>SHA-256 of the archive: <code>${result.sha256}</code></p>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Certificate of ${result.target}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-top: 1px solid #8886; }
th[scope=row], td:nth-child(2) { white-space: nowrap; }
.verdict { padding: .6rem .9rem; border-left: .3rem solid; font-weight: 600; }
.failed td:nth-child(2), .verdict.failed { color: light-dark(#b3261e, #ffb4ab); }
.verified td:nth-child(2), .verdict.verified { color: light-dark(#0b6b3a, #7ddca0); }
@media (max-width: 40rem) { th[scope=row], td:nth-child(2) { white-space: normal; } }
</style>
</head>
<body>
<h1>Certificate</h1>
<p class="verdict ${result.verified ? 'verified' : 'failed'}">${verdict(result)}</p>
<p>Verified by Sandtable ${result.version}.</p>
${hash}${groups}<ul>${MEANING.map((sentence) => html`<li>${sentence}</li>`)}</ul>
</body>
</html>
`.text;
}
