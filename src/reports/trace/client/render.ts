import type { Block, BlockText, StepView } from '../step.ts';
import { element } from './dom.ts';
import { pythonTokens } from './python-tokens.ts';

/** Beyond, colours would cost more than they tell. */
const MOST_COLOURED = 200_000;
const MOST_SYMBOLS = 12;

/** Everything about one bar, as elements. */
export function renderView(view: StepView, bars: number): HTMLElement[] {
  const title = view.date === '' ? `Bar ${view.bar}` : `Bar ${view.bar} · ${view.date}`;
  return [
    element('h2', { id: 'view-title', tabindex: '-1' }, title),
    view.unfinished
      ? element(
          'p',
          { class: 'notices' },
          'The end of this bar is not in the journal: its account and prices are not known.',
        )
      : facts(view.account),
    prices(view),
    ...part('Before the decision', view.market),
    ...(view.decision.length > 0 || view.market.length === 0
      ? part('The decision', view.decision, view.bar < bars ? 'Nothing was done on this bar.' : '')
      : []),
  ];
}

function part(title: string, blocks: readonly Block[], nothing = ''): HTMLElement[] {
  if (blocks.length === 0) return nothing === '' ? [] : [element('p', { class: 'note' }, nothing)];
  return [element('h3', {}, title), ...blocks.map(renderBlock)];
}

function facts(entries: readonly (readonly [string, string])[]): HTMLElement {
  const pairs = entries.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value)),
  );
  return element('dl', { class: 'facts' }, pairs);
}

function prices(view: StepView): HTMLElement {
  if (view.prices.length === 0) return element('div');
  const names = ['Symbol', 'Open', 'High', 'Low', 'Close', 'Volume'];
  const rows = view.prices.slice(0, MOST_SYMBOLS).map(({ symbol, values }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, symbol),
      names.slice(1).map((_, place) => element('td', {}, numberText(values?.[place]))),
    ),
  );
  const more = view.prices.length - rows.length;
  return element(
    'div',
    { class: 'frame', tabindex: '0', role: 'group', 'aria-label': 'Prices' },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          names.map((name) => element('th', { scope: 'col' }, name)),
        ),
      ),
      element('tbody', {}, rows),
    ),
    more > 0 ? element('p', { class: 'note' }, `and ${more} more symbols`) : null,
  );
}

function numberText(value: number | null | undefined): string {
  return value === null || value === undefined
    ? '–'
    : value.toLocaleString('en-US', { maximumFractionDigits: 8 });
}

function renderBlock(block: Block): HTMLElement {
  const links = block.links.map(({ text, bar }) =>
    element('li', {}, element('a', { href: `#bar=${bar}` }, text)),
  );
  return element(
    'article',
    { class: `block ${block.kind} ${block.tone}` },
    element('h4', {}, block.title),
    block.facts.length === 0 ? null : facts(block.facts),
    block.texts.map(renderText),
    links.length === 0 ? null : element('ul', { class: 'links' }, links),
  );
}

function renderText(own: BlockText): HTMLElement {
  const shown = element(
    'pre',
    { class: own.form, tabindex: '0', 'aria-label': own.label || own.form },
    content(own),
  );
  if (own.folded === true) return element('details', {}, element('summary', {}, own.label), shown);
  return element('div', {}, own.label === '' ? null : element('p', { class: 'label' }, own.label), shown);
}

function content({ text, form }: BlockText): (string | HTMLElement)[] {
  if (form !== 'python' || text.length > MOST_COLOURED) return [text];
  return pythonTokens(text).map((token) =>
    token.kind === 'plain' ? token.text : element('span', { class: `py-${token.kind}` }, token.text),
  );
}
