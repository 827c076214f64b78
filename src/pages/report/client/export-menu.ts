import { element } from '../../trace/client/folding.ts';
import type { PageData } from '../model/page-data.ts';
import { timeLines } from '../model/svg/plot.ts';
import type { TimeChart } from './time-chart.ts';

/**
 * Adds an export menu to every section with a table or a picture. The menu copies tables to the clipboard as
 * CSV or Markdown, and saves pictures as SVG or PNG files.
 */
export function startExportMenus(data: PageData, chart: () => TimeChart | undefined): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-take]') : null;
    const place = button?.closest('.takeable');
    if (button === null || !(place instanceof HTMLElement)) return;
    take(button.dataset.take ?? '', place, data, chart);
    button.closest('details')?.removeAttribute('open');
  });
  const add = (place: Element, kinds: readonly string[], name: string): void => {
    place.classList.add('takeable');
    place.prepend(
      element(
        'details',
        { class: 'menu take' },
        element('summary', { 'aria-label': `Take ${name} along` }, '⤓'),
        element(
          'div',
          { class: 'card' },
          kinds.map((kind) => element('button', { type: 'button', 'data-take': kind }, kind)),
        ),
      ),
    );
  };
  for (const part of document.querySelectorAll('main section')) {
    const name = part.querySelector('h2')?.textContent?.toLowerCase() ?? 'this';
    const kinds = [
      ...(part.querySelector('table') === null ? [] : ['CSV', 'Markdown']),
      ...(part.querySelector('figure.plot, #time-chart') === null ? [] : ['SVG', 'PNG']),
    ];
    if (kinds.length > 0) add(part, kinds, name);
  }
}

function take(kind: string, place: HTMLElement, data: PageData, chart: () => TimeChart | undefined): void {
  const name = place.id || 'sandtable';
  if (kind === 'CSV' || kind === 'Markdown') {
    const texts = [...place.querySelectorAll('table')]
      .filter((table) => table.checkVisibility())
      .map((table) => tableText(table, kind));
    void keep(
      `${name}.${kind === 'CSV' ? 'csv' : 'md'}`,
      texts.join('\n'),
      kind === 'CSV' ? 'text/csv' : 'text/markdown',
    );
    return;
  }
  const isTime = place.querySelector('#time-chart') !== null;
  const time = isTime ? chart() : undefined;
  if (isTime && kind === 'PNG' && time !== undefined) {
    time.chart.takeScreenshot(true).toBlob((blob) => blob && save(`${name}.png`, blob));
    return;
  }
  if (isTime) {
    const { from, to } = time?.sight() ?? { from: 0, to: data.times.length - 1 };
    const made = document.getElementById('printed-lines');
    if (made !== null) made.innerHTML = timeLines(data, from, to).text;
  }
  for (const svg of place.querySelectorAll<SVGSVGElement>('figure.plot svg')) {
    const own = `${svg.closest('figure')?.id || name}`;
    if (kind === 'SVG') save(`${own}.svg`, new Blob([svgText(svg)], { type: 'image/svg+xml' }));
    else png(svg, own);
  }
}

function tableText(table: HTMLTableElement, kind: string): string {
  const rows = [...table.rows]
    .filter((row) => !row.classList.contains('story-row'))
    .map((row) =>
      [...row.cells]
        .filter((cell) => !cell.matches('.whisker, .share'))
        .map((cell) => (cell.textContent ?? '').trim().replaceAll(/\s+/g, ' ')),
    );
  if (kind === 'CSV') return `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return `${[line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')}\n`;
}

/**
 * Formats a cell for CSV. Removes thousands separators. Adds a quote before a text that a spreadsheet would
 * execute as a formula.
 */
function csvCell(text: string): string {
  const plain = text.replace('−', '-');
  if (/^[+-]?[\d,]+(\.\d+)?$/.test(plain)) return plain.replaceAll(',', '').replace('+', '');
  const safe = /^[=+\-@\t]/.test(plain) && !/^[+-]?[\d,.]+( pp|%)/.test(plain) ? `'${plain}` : plain;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a picture as a standalone SVG that includes the styles of the page. */
function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const own = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  for (const [place, made] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(own[place]!);
    for (const name of [
      'fill',
      'fill-opacity',
      'stroke',
      'stroke-width',
      'stroke-dasharray',
      'stroke-linecap',
      'opacity',
      'font-size',
      'font-family',
      'font-weight',
    ])
      made.style.setProperty(name, style.getPropertyValue(name));
  }
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

function png(svg: SVGSVGElement, name: string): void {
  const { width, height } = svg.viewBox.baseVal;
  const picture = new Image();
  picture.onload = () => {
    const canvas = element('canvas', { width: String(width * 2), height: String(height * 2) });
    const context = canvas.getContext('2d');
    if (context === null) return;
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(`${name}.png`, blob));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
}

/** Copies a text to the clipboard, or saves it as a file if the clipboard is not available. */
async function keep(name: string, text: string, type: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    save(name, new Blob([text], { type }));
  }
}

function save(name: string, content: Blob): void {
  const link = element('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
