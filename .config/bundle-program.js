// Step of .config/package.js, run in the staging folder. Joins the modules of dist/ into a few files, next to the modules
// that are started or imported by name. A thousand files take longer to find and read than a hundred, and the download
// is a fifth larger.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { SEALED_PARTS, withoutFrames, withoutUnused } from '../dist/agents/sealed/parts.js';

const DIST = resolve('dist');
const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const named = [bin.sandtable, ...Object.values(exports).flatMap((one) => one.default ?? [])];

/** What shares its modules: the program, its library and its threads; nothing is twice in one process. */
const shared = [
  ...named.map((file) => file.replace(/^(\.\/)?dist\//, '')),
  'research/stress/world-thread.js',
  'research/study/run-thread.js',
  'research/workers/worker.js',
];
/** Processes and threads of their own, which may read no other file of the program or are to start at once. */
const alone = [
  'agents/strategies/resolve-own-name.js',
  'agents/sealed/boot.js',
  'cli/guard/watchdog.js',
  'sandbox/child/main.js',
  'sandbox/provision/build-main.js',
  'sandbox/provision/build-start.js',
];

/** Layers whose code no strategy calls: what it calls wrongly is told by the names in the code of the others. */
const inner =
  /dist[\\/](agents[\\/](external|llm|model|probe)|market[\\/]acquire|cli|journal|masking|pages|research|results|runner|sandbox)[\\/].*\.js$/;
const shortNames = {
  name: 'short-names',
  setup(builder) {
    builder.onLoad({ filter: inner }, async ({ path }) => ({
      contents: (await transform(readFileSync(path, 'utf8'), { format: 'esm', minifyIdentifiers: true }))
        .code,
    }));
  },
};

const bundle = (entries, options) =>
  build({
    absWorkingDir: DIST,
    entryPoints: entries,
    outdir: DIST,
    outbase: DIST,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Names stay: they are in what a strategy is told when it calls something wrongly.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'inline',
    logLevel: 'warning',
    ...options,
  });

const outputs = [
  await bundle(shared, {
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [shortNames, withoutUnused(DIST)],
  }),
  await bundle(SEALED_PARTS, {
    splitting: true,
    chunkNames: 'chunks/sealed/[name]-[hash]',
    plugins: [withoutFrames(DIST), withoutUnused(DIST)],
  }),
  ...(await Promise.all(alone.map((entry) => bundle([entry], { plugins: [withoutUnused(DIST)] })))),
].flatMap(({ outputFiles }) => outputFiles);

rmSync(join(DIST, 'chunks'), { recursive: true, force: true });
// What the compiler wrote has a map beside it, which a page's script has not.
for (const name of readdirSync(DIST, { recursive: true })) {
  const file = join(DIST, String(name));
  if (!file.endsWith('.js.map')) continue;
  rmSync(file);
  const code = file.slice(0, -4);
  if (!existsSync(code)) continue;
  for (const [, place] of readFileSync(code, 'utf8').matchAll(/builtPlace\('([^']+\.js)'\)/g))
    if (![...shared, ...alone].includes(place))
      throw new Error(`${code} starts ${place}, which is no entry of .config/bundle-program.js`);
  rmSync(code);
}
for (const { path, contents } of outputs) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
