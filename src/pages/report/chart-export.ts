import type { MetricsOptions } from '../../results/analysis/index.ts';
import type { StoredRun } from '../../results/runs/index.ts';
import { styleText } from '../shared/shell.ts';
import { timeLines } from './model/svg/plot.ts';
import { type ReportContent, storedContent } from './report-page.ts';

/** Chart of a report as a standalone SVG file. */
export interface ReportChart {
  /** Name without extension, for example `equity-lines`. */
  readonly name: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const FIGURE =
  /<figure class="plot" id="([\w-]+)"><svg viewBox="0 0 ([\d.]+) ([\d.]+)"([^>]*)>(.*?)<\/svg>/gs;

/**
 * Returns the charts of a run's report as SVG files in light colours. Each file contains its styles and needs
 * no script.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function reportCharts(run: StoredRun, options?: MetricsOptions): ReportChart[] {
  const { body, data } = storedContent(run, options);
  const lines = data.times.length < 2 ? '' : timeLines(data, 0, data.times.length - 1).text;
  const style = chartStyle();
  return [...`${lines}${body.text}`.matchAll(FIGURE)].map(
    ([, name = '', width = '0', height = '0', label = '', drawn = '']) => ({
      name,
      width: Number(width),
      height: Number(height),
      svg: `<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"${label}><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${drawn}</svg>\n`,
    }),
  );
}

/** Returns the rules of the report's style sheet that charts need. */
function chartStyle(): string {
  const rules = styleText('report.css')
    .split('}')
    .filter((rule) => /^(:root\{|svg[ :(])/.test(rule))
    .map((rule) => `${rule}}`);
  return `${rules.join('')}svg{font-family:system-ui,sans-serif}`;
}

/**
 * Returns the first screen of a report as an HTML fragment for notebooks and documents: verdict, main figures
 * and equity. The fragment needs no script. Its styles do not affect the rest of the document.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function reportFragment(run: StoredRun, options?: MetricsOptions): string {
  const content = storedContent(run, options);
  // A document can contain several fragments, but ids must be unique, so they are removed.
  const first = content.first.text.replaceAll(/ id="[\w-]+"/g, '');
  return `<div class="sandtable" data-verdict="${content.verdict}" style="container-type:inline-size"><style>.sandtable{${fragmentStyle(content)}}</style><h3>${content.title.replaceAll(/[<>&]/g, '')}</h3>${first}</div>\n`;
}

function fragmentStyle({ first }: ReportContent): string {
  const names = new Set(
    [...first.text.matchAll(/class="([^"]+)"/g)].flatMap(([, text = '']) => text.split(' ')),
  );
  const used = (rule: string): boolean =>
    [...rule.slice(0, rule.indexOf('{')).matchAll(/\.([\w-]+)/g)].some(([, name = '']) => names.has(name));
  const rules = styleText('report.css')
    // Removes the rules for other screen widths and for paper.
    .replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\}/g, '')
    .split('}')
    .filter((rule) => rule !== '' && (used(rule) || rule.startsWith(':root{') || rule.includes('--tone:')))
    .map((rule) => `${rule.replace(/^:root\{/, '&{')}}`);
  return `${rules.join('')}& *{box-sizing:border-box}&{padding:1rem;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}& figure{margin-inline:0}& .tiles{grid-template-columns:repeat(auto-fit,minmax(max(8rem,20%),1fr))}& dd{margin:0}& small{color:var(--soft);font-size:.8rem;font-weight:400}& .pane-equity>div{height:16rem}& output{display:none}`;
}
