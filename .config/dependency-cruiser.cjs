// The layers of src/, in order. A layer imports only layers above it, by their index.ts.
const layers = [
  'kernel',
  'market',
  'broker',
  'engine',
  'sandbox',
  'toolkit',
  'masking',
  'journal',
  'agents',
  'results',
  'pages',
  'runner',
  'research',
  'cli',
  'testing',
];

/** Folders inside a layer that have their own index.ts, which other layers may import. */
const PARTS = 'http|acquire|account|vfs|analysis|runs|steps';

/** Order inside a layer: a folder does not import the rest of its layer, or the second folder. */
const inner = [
  { name: 'http-is-apart', from: '^src/kernel/http/', to: '^src/kernel/(?!index\\.ts|http/)' },
  { name: 'market-below-acquire', from: '^src/market/(?!acquire/)', to: '^src/market/acquire/' },
  { name: 'account-below-broker', from: '^src/broker/account/', to: '^src/broker/(?!account/)' },
  { name: 'vfs-below-toolkit', from: '^src/toolkit/vfs/', to: '^src/toolkit/(?!vfs/)' },
  { name: 'analysis-below-runs', from: '^src/results/analysis/', to: '^src/results/runs/' },
].map(({ name, from, to }) => ({ name, severity: 'error', from: { path: from }, to: { path: to } }));

/** The files by which one layer may import another. */
const INDEX = `^src/[^/]+/((${PARTS})/)?index\\.ts$`;

const downward = layers
  .map((layer, position) => ({
    name: `${layer}-imports-only-layers-above`,
    severity: 'error',
    comment: 'A layer imports only layers above it (docs/architecture.md).',
    from: { path: `^src/${layer}/` },
    to: {
      path: layers
        .slice(position + 1)
        .map((later) => `^src/${later}/`)
        .concat('^src/[^/]+\\.ts$'),
    },
  }))
  .filter((rule) => rule.to.path.length > 0);

/** What runs in the program and in its pages: figures of a part of a run, and what both lay out. */
const ON_BOTH_SIDES = [
  '^src/pages/shared/(html|number-formats|read-stamp|benchmark-format)\\.ts$',
  '^src/pages/report/model/',
  '^src/results/analysis/series/',
  '^src/kernel/(instants|random)\\.ts$',
];

module.exports = {
  forbidden: [
    ...downward,
    ...inner,
    {
      name: 'layers-meet-at-index',
      severity: 'error',
      comment: 'Another layer is imported by its index.ts, never by a file inside it.',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', INDEX, ...ON_BOTH_SIDES] },
    },
    {
      name: 'entry-imports-layers-by-index',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: '^src/[^/]+/', pathNot: INDEX },
    },
    {
      name: 'pages-run-in-browsers',
      severity: 'error',
      comment:
        "A page's script may share types with the program, and nothing that runs but what both make rows with.",
      from: { path: '/client/' },
      to: { path: '^src/', pathNot: ['/client/', ...ON_BOTH_SIDES], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rows-run-on-both-sides',
      severity: 'error',
      comment:
        'What the program and a script of its pages both run imports nothing that only one of them has.',
      from: { path: ON_BOTH_SIDES, pathNot: '\\.test\\.ts$' },
      to: { pathNot: ON_BOTH_SIDES },
    },
    {
      name: 'every-command-starts-fast',
      severity: 'error',
      comment: 'What every command loads, `--version` too, loads no layer that only some of them need.',
      from: { path: '^src/cli/(bin|main|io|guard/)', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(sandbox|toolkit|agents|results|pages|runner|research)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-http-client',
      severity: 'error',
      comment:
        'Outgoing requests are sent by `request` of src/kernel/http, which limits size and time and follows no redirect. Servers and their tests may import node:http.',
      from: {
        path: '^src/',
        pathNot: [
          '^src/kernel/http/',
          '^src/pages/serve/',
          '^src/agents/scripted-model/server\\.ts$',
          // Uses `isIP` only.
          '^src/research/queue/redis\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^(node:)?(https?|http2|tls|net|dgram|dns)$|^node_modules/(undici|proxy-from-env)/' },
    },
    { name: 'no-circles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'tests-stay-out-of-production',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$|^src/testing' },
      to: { path: '\\.test\\.ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs'],
      conditionNames: ['import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
