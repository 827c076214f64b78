import { existsSync, readdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress';

const DOCS = resolve(import.meta.dirname, '..');
const ROOT = resolve(DOCS, '..');

/** Pages of the repository's root that the site has, too. */
const ROOT_PAGES: Readonly<Record<string, string>> = {
  'README.md': 'repository/readme.md',
  'SECURITY.md': 'repository/security.md',
  'CHANGELOG.md': 'repository/changelog.md',
  'CONTRIBUTING.md': 'repository/contributing.md',
};

const items = (...pages: readonly (readonly [text: string, page: string])[]): DefaultTheme.SidebarItem[] =>
  pages.map(([text, page]) => ({ text, link: `/${page}` }));

/** Pages of the generated library reference. Empty before `npm run docs:reference` has run. */
function libraryItems(): DefaultTheme.SidebarItem[] {
  const folder = resolve(DOCS, 'reference/library');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/').replace(/\.md$/, ''))
    .filter((name) => existsSync(resolve(folder, `${name}.md`)) && name !== 'index')
    .sort()
    .map((name) => ({
      text: name === 'index-1' ? 'sandtable' : `sandtable/${name.replace('testing/', '')}`,
      link: `/reference/library/${name}`,
    }));
}

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start here',
    items: items(
      ['Overview', ''],
      ['The first hour', 'first-hour'],
      ['Gallery', 'gallery/'],
      ['Questions and answers', 'faq'],
      ['Troubleshooting', 'troubleshooting'],
      ['Glossary', 'glossary'],
    ),
  },
  {
    text: 'Tutorials',
    items: items(
      ['First backtest in Python', 'tutorials/first-python'],
      ['First backtest in TypeScript', 'tutorials/first-typescript'],
      ['First backtest with an LLM', 'tutorials/first-llm'],
      ['Your own agent', 'tutorials/own-agent'],
      ['A portfolio of 20 names', 'tutorials/twenty-names'],
      ['A sweep that you can believe', 'tutorials/honest-sweep'],
      ['A registered forward test', 'tutorials/forward-test'],
    ),
  },
  {
    text: 'Coming from',
    collapsed: true,
    items: items(
      ['Comparison and limits', 'coming-from'],
      ['backtesting.py', 'coming-from/backtesting-py'],
      ['freqtrade', 'coming-from/freqtrade'],
      ['zipline', 'coming-from/zipline'],
      ['vectorbt', 'coming-from/vectorbt'],
      ['Lean', 'coming-from/lean'],
    ),
  },
  {
    text: 'Gallery of runs',
    collapsed: true,
    items: items(
      ['Rules in TypeScript', 'gallery/rules'],
      ['A strategy in Python', 'gallery/python'],
      ['A prompt', 'gallery/prompt'],
      ['Your own agent', 'gallery/agent'],
      ['A sweep', 'gallery/sweep'],
      ['A walk-forward', 'gallery/walk-forward'],
      ['A stress test', 'gallery/stress'],
      ['A study', 'gallery/study'],
      ['Futures', 'gallery/futures'],
      ['20 names', 'gallery/twenty-names'],
      ['A failed run', 'gallery/failed'],
      ['Good by luck', 'gallery/luck'],
    ),
  },
  {
    text: 'Guides',
    items: items(
      ['Bring data', 'guides/bring-data'],
      ['Realistic costs', 'guides/realistic-costs'],
      ['Stops and targets', 'guides/stops-and-targets'],
      ['Several symbols', 'guides/several-symbols'],
      ['Two time frames', 'guides/two-time-frames'],
      ['News', 'guides/news'],
      ['Futures and perpetuals', 'guides/futures-and-perps'],
      ['Shorting', 'guides/shorting'],
      ['Walk-forward', 'guides/walk-forward'],
      ['Compare runs', 'guides/compare-runs'],
      ['Query with SQL', 'guides/query-with-sql'],
      ['Notebooks', 'guides/notebooks'],
      ['Many machines', 'guides/run-on-many-machines'],
      ['Tests in CI', 'guides/test-in-ci'],
      ['Debug a strategy', 'guides/debug-a-strategy'],
      ['Debug an agent', 'guides/debug-an-agent'],
      ['Reproduce a paper', 'guides/reproduce-a-paper'],
    ),
  },
  {
    text: 'Strategies',
    items: items(
      ['In Python', 'python-strategies'],
      ['In TypeScript', 'strategies'],
      ['For a model', 'llm'],
      ['Agents', 'agents'],
      ['Behaviour in Gherkin', 'bdd'],
      ['Scripts', 'scripts'],
      ['MCP clients', 'mcp'],
    ),
  },
  {
    text: 'Data and accounts',
    items: items(
      ['Bars', 'data'],
      ['Download', 'download'],
      ['Features', 'features'],
      ['Documents', 'documents'],
      ['Fundamentals', 'fundamentals'],
      ['Account', 'account'],
      ['Instruments', 'instruments'],
      ['Futures', 'futures'],
      ['Risk limits', 'risk'],
    ),
  },
  {
    text: 'Research and evidence',
    items: items(
      ['Sweeps and walk-forward', 'research'],
      ['Stress tests', 'stress'],
      ['Studies', 'study'],
      ['Masks', 'masks'],
      ['Forward tests', 'forward'],
      ['Verify a result', 'verify'],
      ['Alarms', 'alarms'],
      ['Many machines', 'cluster'],
    ),
  },
  {
    text: 'Concepts',
    items: items(
      ['How a bar is traded', 'concepts/a-bar'],
      ['Ambiguity inside a bar', 'concepts/ambiguity'],
      ['No look-ahead', 'concepts/no-look-ahead'],
      ['Exact money', 'concepts/exact-money'],
      ['Isolation', 'concepts/isolation'],
      ['Results that repeat', 'concepts/repeatable'],
      ['Evidence and verdicts', 'concepts/evidence'],
      ['Masks', 'concepts/masks'],
      ['How the parts fit together', 'concepts/parts'],
      ['Architecture', 'architecture'],
      ['Benchmarks', 'benchmarks'],
    ),
  },
  {
    text: 'Reference',
    items: items(
      ['Command line', 'cli'],
      ['All commands and flags', 'reference/commands'],
      ['sandtable.yaml', 'config'],
      ['All keys of sandtable.yaml', 'reference/project-file'],
      ['Python names', 'reference/python'],
      ['Tools', 'tools'],
      ['A session of tools', 'tools/session'],
      ['Indicators', 'ta'],
      ['Indicators in pictures', 'reference/indicators'],
      ['TypeScript library', 'reference/library/'],
    ).concat(
      libraryItems(),
      items(
        ['Orders', 'orders'],
        ['Fill rules', 'fill-rules'],
        ['Figures', 'metrics'],
        ['Figures by name', 'reference/figures'],
        ['Report pages', 'reports'],
        ['Run folder', 'run-folder'],
        ['Journal events', 'reference/journal'],
        ['Virtual files', 'vfs'],
        ['Dependencies', 'dependencies'],
        ['Security', 'repository/security'],
        ['Releases and upgrades', 'releases'],
        ['Changes', 'repository/changelog'],
        ['Contributing', 'repository/contributing'],
      ),
    ),
  },
];

/**
 * Links from a page to files that the site does not have, such as strategies and tests. A page of the root leads to its
 * copy on the site. Any other link becomes its text with the path in the repository.
 */
const outsideLinks: NonNullable<MarkdownOptions['config']> = (md) => {
  md.core.ruler.push('outside-links', (state) => {
    const { relativePath = '' } = state.env as { relativePath?: string };
    const folder = dirname(resolve(DOCS, relativePath));
    // The copies of root pages have links relative to the root.
    const from = relativePath.startsWith('repository/') ? ROOT : folder;
    for (const { children } of state.tokens) {
      for (const [place, token] of (children ?? []).entries()) {
        const href = token.attrGet('href');
        if (token.type !== 'link_open' || href === null || /^([a-z]+:|#|\/)/.test(href)) continue;
        const [path = '', anchor] = href.split('#');
        const target = resolve(from, decodeURI(path));
        const own = relative(ROOT, target);
        const page =
          ROOT_PAGES[own] ?? (own.startsWith('docs/') && own.endsWith('.md') ? own.slice(5) : undefined);
        if (page !== undefined) {
          token.attrSet('href', `/${page}${anchor === undefined ? '' : `#${anchor}`}`);
          continue;
        }
        if (!existsSync(target)) continue;
        const close = children!.findIndex((other, at) => at > place && other.type === 'link_close');
        token.type = 'text';
        token.tag = '';
        token.attrs = null;
        token.nesting = 0;
        token.content = '';
        const end = children![close]!;
        end.type = 'text';
        end.tag = '';
        end.nesting = 0;
        end.content = ` (${own} in the repository)`;
      }
    }
  });
};

/** Shows double braces as they are. The generator would evaluate what is between them. */
const plainBraces: NonNullable<MarkdownOptions['config']> = (md) => {
  const braces = (html: string): string => html.replaceAll('{{', '<span v-pre>{{</span>');
  for (const name of ['text', 'code_inline'] as const) {
    const rule = md.renderer.rules[name]!;
    md.renderer.rules[name] = (...given) => braces(rule(...given));
  }
};

/** Makes a column heading without text an empty cell, because a heading must name its column. */
const emptyHeadings: NonNullable<MarkdownOptions['config']> = (md) => {
  md.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [place, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[place + 1]?.content === '')
        for (const cell of [token, tokens[place + 2]!]) cell.tag = 'td';
  });
};

export default defineConfig({
  title: 'Sandtable',
  description: 'A backtesting engine with an agent inside.',
  srcExclude: ['api/**', 'examples/**'],
  cleanUrls: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Anchors as in the repository's viewer, where the same pages are read.
    anchor: {
      slugify: (title) =>
        title
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{Letter}\p{Number}\p{Mark} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    // Text such as <run> stands for itself.
    html: false,
    config(md) {
      outsideLinks(md);
      plainBraces(md);
      emptyHeadings(md);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'First hour', link: '/first-hour' },
      { text: 'Gallery', link: '/gallery/' },
      { text: 'Command line', link: '/cli' },
      { text: 'Figures', link: '/metrics' },
    ],
  },
});
