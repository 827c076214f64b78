// The rooms of src/, in the order a bar walks them: a room imports only rooms above it, by their index.ts.
const rooms = [
  'kernel',
  'market',
  'account',
  'broker',
  'engine',
  'journal',
  'vfs',
  'sandbox',
  'toolkit',
  'agent',
  'reports',
  'cli',
  'steps',
];

const downward = rooms
  .map((room, position) => ({
    name: `${room}-imports-only-rooms-above`,
    severity: 'error',
    comment: "A room may import only rooms that come before it in a bar's walk (docs/architecture.md).",
    from: { path: `^src/${room}/` },
    to: {
      path: rooms
        .slice(position + 1)
        .map((later) => `^src/${later}/`)
        .concat('^src/index'),
    },
  }))
  .filter((rule) => rule.to.path.length > 0);

module.exports = {
  forbidden: [
    ...downward,
    {
      name: 'rooms-meet-at-index',
      severity: 'error',
      comment: 'Another room is imported by its index.ts, never by a file inside it.',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'entry-imports-rooms-by-index',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/[^/]+/', pathNot: '^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'pages-run-in-browsers',
      severity: 'error',
      comment: "A page's script may share types with the program, nothing that runs.",
      from: { path: '/client/' },
      to: { path: '^src/', pathNot: '/client/', dependencyTypesNot: ['type-only'] },
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
