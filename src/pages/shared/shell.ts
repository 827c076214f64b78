import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError, builtPlace } from '../../kernel/index.ts';
import { type Content, escapeHtml, type Html, html } from './html.ts';

interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** Data for the page's script, as JSON. */
  readonly data: Html;
  /** File name of the script. */
  readonly script: PageScript;
  /** File name of an additional style sheet for this kind of page. */
  readonly style?: PageStyle;
  /**
   * Elements with further data. They are placed after the script, so the script may start before the browser
   * has parsed them.
   */
  readonly after?: readonly Html[];
  /** True if a server delivers the page. The page's policy then allows requests to this server. */
  readonly served?: boolean;
}

type PageScript = 'client.js' | 'compare.js' | 'trace.js' | 'list.js' | 'stress.js' | 'sweep.js';
type PageStyle = 'report.css' | 'trace.css' | 'list.css' | 'compare.css' | 'study.css' | 'sweep.css';

/**
 * Returns a complete page with inline style and script. The page contains a content security policy that
 * blocks all access to other hosts.
 *
 * @throws AppError `page_assets_missing`
 */
export function pageShell({
  title,
  body,
  data,
  script: scriptFile,
  style: own,
  after = [],
  served,
}: PageParts): string {
  const style = own === undefined ? asset('page.css') : styleText(own);
  const script = wholeScript(scriptFile);
  const policy = policyFor(script, served);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body.text}
<script type="application/json" id="data">${data.text}</script>
<script>${script}</script>
${after.map(({ text }) => `${text}\n`).join('')}</body>
</html>
`;
}

function policyFor(script: string, served = false): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    'img-src data:',
    ...(served ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * Returns the content security policy for a page that is stored in a folder. Even if the page was changed,
 * the policy allows only the page script of this version.
 */
export function policyOfStored(script: PageScript): string {
  return policyFor(wholeScript(script));
}

/** Scripts that draw charts of time series. They need the chart library. */
const WITH_CHARTS: readonly PageScript[] = ['client.js', 'compare.js', 'trace.js'];

function wholeScript(script: PageScript): string {
  return WITH_CHARTS.includes(script) ? asset('charts.js') + asset(script) : asset(script);
}

/** Returns the style sheet of a kind of page, including the styles that all pages share. */
export function styleText(own: PageStyle): string {
  return asset('page.css') + asset(own);
}

const loaded = new Map<string, string>();

// The build writes styles and scripts to dist/. Code that runs from src/ also reads them there.
function asset(name: string): string {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  try {
    const text = readFileSync(builtPlace(`pages/shared/${name}`), 'utf8').replaceAll('</', '<\\/');
    loaded.set(name, text);
    return text;
  } catch (cause) {
    throw new AppError({
      code: 'page_assets_missing',
      message: `The page's ${name} was not built.`,
      hint: 'Run: npm run build',
      kind: 'run',
      cause,
    });
  }
}

/**
 * Returns the content security policy that a page contains. The server also sends this policy as a header.
 */
export function policyOf(page: string): string {
  return (
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1] ?? "default-src 'none'"
  );
}

/** Link in the head of a page to another page, for example from a report to its trace. */
export interface PageLink {
  readonly text: string;
  readonly href: string;
}

interface PageHead {
  readonly title: string;
  readonly lines: readonly Content[];
  /** Id of the run. */
  readonly run?: string;
  /** Links to other pages, for example to the list of runs or to the trace of the run. */
  readonly links?: readonly PageLink[];
}

/**
 * Returns the head of a page: links, title, description lines, the run's id and the button for light or dark
 * mode.
 */
export function pageHead({ title, lines, run, links = [] }: PageHead): Html {
  const ways = links.map(({ text, href }) => html`<a href="${href}">${text}</a>`);
  return html`<header class="top"><div>${links.length === 0 ? '' : html`<nav aria-label="Pages">${ways}</nav>`}<h1>${title}</h1>${lines.map((line) => html`<p>${line}</p>`)}${run === undefined ? '' : html`<p class="run">${run}</p>`}</div><button type="button" id="theme" aria-label="Change between light and dark">◐</button></header>`;
}
