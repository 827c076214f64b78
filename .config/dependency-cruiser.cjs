// The layers of src/, in the order a bar walks them: a layer imports only layers above it, by their index.ts.
const layers = [
  'kernel',
  'http',
  'market',
  'acquire',
  'account',
  'broker',
  'engine',
  'vfs',
  'masking',
  'journal',
  'sandbox',
  'toolkit',
  'agent',
  'analysis',
  'runs',
  'pages',
  'runner',
  'research',
  'cli',
  'testing',
  'steps',
];

const downward = layers
  .map((layer, position) => ({
    name: `${layer}-imports-only-layers-above`,
    severity: 'error',
    comment: "A layer may import only layers that come before it in a bar's walk (docs/architecture.md).",
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
  '^src/pages/shared/(html|number-formats|plain-amount|spine-format)\\.ts$',
  '^src/pages/report/model/',
  '^src/analysis/series/',
  '^src/kernel/random\\.ts$',
];

module.exports = {
  forbidden: [
    ...downward,
    {
      name: 'layers-meet-at-index',
      severity: 'error',
      comment: 'Another layer is imported by its index.ts, never by a file inside it.',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', ...ON_BOTH_SIDES] },
    },
    {
      name: 'entry-imports-layers-by-index',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: '^src/[^/]+/', pathNot: '^src/[^/]+/index\\.ts$' },
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
        path: '^src/(sandbox|toolkit|agent|analysis|runs|pages|runner|research)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-http-client',
      severity: 'error',
      comment:
        'Outgoing requests are sent by `request` of src/http, which limits size and time and follows no redirect. Servers and their tests may import node:http.',
      from: {
        path: '^src/',
        pathNot: [
          '^src/http/',
          '^src/pages/serve/',
          '^src/agent/scripted-model/server\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^(node:)?(https?|http2|tls)$|^node_modules/(undici|proxy-from-env)/' },
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
