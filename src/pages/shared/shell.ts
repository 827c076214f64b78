import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError, builtPlace } from '../../kernel/index.ts';
import { escapeHtml, type Html } from './html.ts';

export interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** JSON for the page's script. */
  readonly data: Html;
  /** File of the script. */
  readonly script: PageScript;
  /** File of a style that only this page has. */
  readonly style?: PageStyle;
  /** Data that come behind the script, which may begin before a browser has read them. */
  readonly after?: readonly Html[];
  /** The page comes from a server, and may ask it. */
  readonly served?: boolean;
}

export type PageScript = 'client.js' | 'compare.js' | 'trace.js' | 'list.js' | 'stress.js' | 'sweep.js';
type PageStyle =
  | 'report.css'
  | 'trace.css'
  | 'list.css'
  | 'compare.css'
  | 'stress.css'
  | 'study.css'
  | 'sweep.css';

/**
 * A whole page with its style and script inside; a content security policy keeps it from reaching anything outside.
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
  const style = asset('page.css') + (own === undefined ? '' : asset(own));
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

/** The policy of a page that lies in a folder: whatever it holds by now, only our own script may run in it. */
export function policyOfStored(script: PageScript): string {
  return policyFor(wholeScript(script));
}

/** Scripts that draw charts of time series. */
const WITH_CHARTS: readonly PageScript[] = ['client.js', 'compare.js', 'trace.js'];

function wholeScript(script: PageScript): string {
  return WITH_CHARTS.includes(script) ? asset('charts.js') + asset(script) : asset(script);
}

const loaded = new Map<string, string>();

// Style and script are built into dist/; sources run from src/ find them there.
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

/** The policy that a page carries, for the server that hands it out. */
export function policyOf(page: string): string {
  return (
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1] ?? "default-src 'none'"
  );
}
