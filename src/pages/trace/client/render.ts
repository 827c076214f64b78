import type { Block, BlockText, StepView } from '../step.ts';
import { element, shortAmount, shortNumbers } from './folding.ts';

/**
 * Piece of Python code with its kind, which determines its colour. All pieces together are exactly the
 * original code.
 */
interface PythonToken {
  readonly kind: 'keyword' | 'constant' | 'string' | 'number' | 'comment' | 'decorator' | 'call' | 'plain';
  readonly text: string;
}

const KEYWORDS = new Set(
  'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const CONSTANTS = new Set(['True', 'False', 'None', 'Ellipsis', 'NotImplemented', 'self', 'cls']);
/** Words that are keywords only at the beginning of a statement. In other places they are ordinary names. */
const SOFT = new Set(['match', 'case']);

// Follows the lexical analysis in Python's reference manual, as far as highlighting needs it. An unterminated
// string ends at the end of its line, an unterminated triple-quoted string at the end of the code. The
// alternatives do not overlap, which prevents excessive backtracking.
const TOKEN = new RegExp(
  [
    /(?<comment>#[^\n]*)/u,
    /(?<string>(?<![\w])(?:[rbuft]|rb|br|rf|fr|rt|tr)?(?:"""(?:[^\\"]|\\(?:[\s\S]|$)|"(?!""))*(?:"""|$)|'''(?:[^\\']|\\(?:[\s\S]|$)|'(?!''))*(?:'''|$)|"(?:[^\\"\n]|\\(?:[\s\S]|$))*(?:"|(?=\n)|$)|'(?:[^\\'\n]|\\(?:[\s\S]|$))*(?:'|(?=\n)|$)))/,
    /(?<number>(?<![\w])(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?))/,
    /(?<decorator>@(?<=^[ \t]*@)[\p{L}_][\p{L}\p{N}_.]*)/u,
    /(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
  ]
    .map((part) => part.source)
    .join('|'),
  'gimu',
);

/** Splits Python code into pieces for highlighting. The code may be invalid. */
export function pythonTokens(code: string): PythonToken[] {
  const tokens: PythonToken[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index) });
    const [text] = match;
    tokens.push({ kind: kindOf(match, code), text });
    end = match.index + text.length;
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end) });
  return tokens;
}

function kindOf(match: RegExpExecArray, code: string): PythonToken['kind'] {
  const { comment, string, number, decorator, name = '' } = match.groups ?? {};
  if (comment !== undefined) return 'comment';
  if (string !== undefined) return 'string';
  if (number !== undefined) return 'number';
  if (decorator !== undefined) return 'decorator';
  const isAttribute = code[match.index - 1] === '.';
  if (!isAttribute && KEYWORDS.has(name) && (!SOFT.has(name) || beginsLine(code, match.index)))
    return 'keyword';
  if (!isAttribute && CONSTANTS.has(name)) return 'constant';
  return code[match.index + name.length] === '(' ? 'call' : 'plain';
}

function beginsLine(code: string, index: number): boolean {
  const before = code.slice(code.lastIndexOf('\n', index - 1) + 1, index);
  const after = code.slice(index).match(/^\w+[ \t]+[\w"'([{*-]/);
  return before.trim() === '' && after !== null;
}

/** Maximum number of characters of a text shown initially. */
const MOST_SHOWN = 20_000;
const MOST_SYMBOLS = 12;

/** Nearest bars with events before and after a bar. `undefined` if there is no such bar. */
interface Neighbours {
  readonly earlier: number | undefined;
  readonly later: number | undefined;
}

/**
 * Returns the elements that show one bar.
 *
 * @param bars number of bars of the run
 * @param when formatted time of the bar. Empty if the time is unknown
 */
export function renderView(view: StepView, bars: number, around: Neighbours, when: string): HTMLElement[] {
  const title = when === '' ? `Bar ${view.bar}` : `Bar ${view.bar} · ${when}`;
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
    ...neighbourLinks(around),
  ];
}

function neighbourLinks({ earlier, later }: Neighbours): HTMLElement[] {
  const link = (words: string, bar: number | undefined): HTMLElement | null =>
    bar === undefined
      ? null
      : element('li', {}, element('a', { href: `#bar=${bar}` }, `${words} bar with events: ${bar}`));
  if (earlier === undefined && later === undefined) return [];
  return [element('ul', { class: 'links' }, link('Earlier', earlier), link('Later', later))];
}

function part(title: string, blocks: readonly Block[], nothing = ''): HTMLElement[] {
  if (blocks.length === 0) return nothing === '' ? [] : [element('p', { class: 'note' }, nothing)];
  return [element('h3', {}, title), ...byRole(blocks)];
}

/**
 * Returns the elements of blocks. Consecutive blocks of one role (one prompt of a strategy with several
 * prompts) are in one element that can be collapsed. Initially, only the last one is expanded.
 */
function byRole(blocks: readonly Block[]): HTMLElement[] {
  const groups: { readonly role: string; readonly blocks: Block[] }[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    const role = block.kind === 'model' ? (/^(.+?) · /.exec(block.title)?.[1] ?? '') : (last?.role ?? '');
    if (last !== undefined && last.role === role) last.blocks.push(block);
    else groups.push({ role, blocks: [block] });
  }
  const final = groups.findLast(({ role }) => role !== '');
  return groups.flatMap((group) => {
    const made = group.blocks.map(renderBlock);
    if (group.role === '') return made;
    const count = `${group.blocks.length} ${group.blocks.length === 1 ? 'step' : 'steps'}`;
    return element(
      'details',
      { class: 'role', open: group === final },
      element('summary', {}, element('bdi', {}, group.role), ` · ${count}`),
      made,
    );
  });
}

function facts(entries: readonly (readonly [string, string])[]): HTMLElement {
  const pairs = entries.map(([name, value]) =>
    element(
      'div',
      {},
      element('dt', {}, name),
      shortened('dd', {}, value, AMOUNTS.has(name) ? shortAmount : shortNumbers),
    ),
  );
  return element('dl', { class: 'facts' }, pairs);
}

/** Facts that are amounts of money. They are formatted as amounts even if they are whole numbers. */
const AMOUNTS = new Set([
  'Cash',
  'Equity',
  'Cash after',
  'Limit',
  'Stop',
  'Quantity',
  'Notional',
  'Target quantity',
  'Before slippage',
  'Commission',
  'Commission paid',
  'Gross',
  'Net',
  'Profit',
]);

/**
 * Creates an element with shortened numbers. If a number was shortened, the tooltip contains the full text.
 */
function shortened(
  name: 'dd' | 'h4' | 'a',
  attributes: Readonly<Record<string, string>>,
  text: string,
  shorten = shortNumbers,
): HTMLElement {
  const short = shorten(text);
  return element(name, short === text ? attributes : { ...attributes, title: text }, short);
}

function prices(view: StepView): HTMLElement {
  if (view.prices.length === 0) return element('div');
  const names = ['Symbol', 'Open', 'High', 'Low', 'Close', 'Volume'];
  const rows = view.prices.slice(0, MOST_SYMBOLS).map(({ symbol, values }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, symbol),
      names.slice(1).map((_, place) => numberCell(values?.[place])),
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

function numberCell(value: number | null | undefined): HTMLElement {
  if (value === null || value === undefined) return element('td', {}, '–');
  const size = Math.abs(value);
  const places = size >= 1000 ? 2 : size >= 1 ? 4 : 8;
  const text = value.toLocaleString('en-US', { maximumFractionDigits: places });
  return element('td', { title: String(value) }, text);
}

function renderBlock(block: Block): HTMLElement {
  const links = block.links.map(({ text, bar }) =>
    element('li', {}, shortened('a', { href: `#bar=${bar}` }, text)),
  );
  return element(
    'article',
    { class: `block card ${block.kind} ${block.tone}`, 'data-tone': block.tone },
    shortened('h4', {}, block.title),
    block.facts.length === 0 ? null : facts(block.facts),
    renderTexts(block.texts),
    links.length === 0 ? null : element('ul', { class: 'links' }, links),
  );
}

/**
 * Renders the texts of a block: prose first, then code and JSON. If the model received only some of the
 * texts, there are two tabs: texts sent to the model, and all others.
 */
function renderTexts(texts: readonly BlockText[]): HTMLElement[] {
  const sorted = texts.toSorted(
    (one, other) => Number(one.form !== 'words') - Number(other.form !== 'words'),
  );
  const [sent, answered] = [
    sorted.filter((own) => own.sent === true),
    sorted.filter((own) => own.sent !== true),
  ];
  if (sent.length === 0 || answered.length === 0) return sorted.map(renderText);
  return [
    tabs([
      ['Answered', answered.map(renderText)],
      ['Sent to the model', sent.map(renderText)],
    ]),
  ];
}

let tabNumber = 0;

function tabs(parts: readonly (readonly [name: string, content: readonly HTMLElement[]])[]): HTMLElement {
  tabNumber += 1;
  const id = `tabs-${tabNumber}`;
  const buttons = parts.map(([name], place) =>
    element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${id}-tab-${place}`,
        'aria-controls': `${id}-${place}`,
        'aria-selected': String(place === 0),
      },
      name,
    ),
  );
  const panels = parts.map(([, content], place) =>
    element(
      'div',
      { role: 'tabpanel', id: `${id}-${place}`, 'aria-labelledby': `${id}-tab-${place}`, hidden: place > 0 },
      content,
    ),
  );
  const show = (chosen: number): void => {
    for (const [place, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(place === chosen));
      panels[place]!.hidden = place !== chosen;
    }
  };
  for (const [place, button] of buttons.entries()) {
    button.addEventListener('click', () => show(place));
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      // The arrow keys switch tabs here. In the rest of the page they select another bar.
      event.stopPropagation();
      event.preventDefault();
      const next = (place + 1) % buttons.length;
      show(next);
      buttons[next]?.focus();
    });
  }
  return element(
    'div',
    { class: 'tabs' },
    element('div', { role: 'tablist', class: 'group' }, buttons),
    panels,
  );
}

function renderText(own: BlockText): HTMLElement {
  const shown = element(
    'pre',
    { class: own.form, tabindex: '0', dir: 'auto', 'aria-label': own.label || own.form },
    content(own),
  );
  const parts = [shown, ...rest(own, shown)];
  if (own.folded === true) return element('details', {}, element('summary', {}, own.label), parts);
  return element('div', {}, own.label === '' ? null : element('p', { class: 'label' }, own.label), parts);
}

function content({ text, form }: BlockText): (string | HTMLElement)[] {
  if (form !== 'python' || text.length > MOST_SHOWN) return [text.slice(0, MOST_SHOWN)];
  return pythonTokens(text).map((token) =>
    token.kind === 'plain'
      ? token.text
      : element('span', { style: `color: var(--py-${token.kind})` }, token.text),
  );
}

/**
 * Returns a button that shows the complete text, if the text is long. Initially, a long text is shortened,
 * because its layout takes seconds.
 */
function rest({ text }: BlockText, shown: HTMLElement): HTMLElement[] {
  if (text.length <= MOST_SHOWN) return [];
  const words = `Show all ${text.length.toLocaleString('en-US')} characters`;
  const button = element('button', { type: 'button', class: 'whole' }, words);
  button.addEventListener('click', () => {
    shown.textContent = text;
    shown.focus();
    button.remove();
  });
  return [button];
}
