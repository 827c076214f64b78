// Joins the modules that the compiler wrote into a few files, next to the modules that are started or imported by name:
// `node .config/bundle-program.js FROM TO [--short-names]`. A thousand files take longer to find and read than a hundred,
// and the download is a fifth larger. All other files are copied. The package is made with --short-names, which needs a
// package.json in this folder, as npm run build does.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { SEALED_PARTS, withoutFrames, withoutUnused } from '../.build/dist/agents/sealed/parts.js';

const [FROM, TO] = process.argv.slice(2, 4).map((folder) => resolve(folder));
const SHORT_NAMES = process.argv.includes('--short-names');
const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const named = [bin.sandtable, ...Object.values(exports).flatMap((one) => one.default ?? [])];

/** What shares its modules: the program, its library and its threads; nothing is twice in one process. */
const shared = [
  ...named.map((file) => file.replace(/^(\.\/)?dist\//, '')),
  'research/stress/world-thread.js',
  'research/study/run-thread.js',
  'research/workers/worker.js',
  // Tests of separate processes start these.
  ...(SHORT_NAMES ? [] : ['agents/index.js', 'results/runs/index.js']),
];
/** Processes and threads of their own, which may read no other file of the program or are to start at once. */
const alone = [
  'agents/strategies/resolve-own-name.js',
  'agents/sealed/boot.js',
  'cli/guard/watchdog.js',
  'sandbox/child/main.js',
  'sandbox/provision/build-main.js',
  'sandbox/provision/build-start-image.js',
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
    absWorkingDir: FROM,
    entryPoints: entries,
    outdir: TO,
    outbase: FROM,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Names stay: they are in what a strategy is told when it calls something wrongly.
    minifyWhitespace: SHORT_NAMES,
    minifySyntax: SHORT_NAMES,
    legalComments: 'inline',
    logLevel: 'warning',
    ...options,
  });

const outputs = [
  await bundle(shared, {
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [...(SHORT_NAMES ? [shortNames] : []), withoutUnused(FROM)],
  }),
  await bundle(SEALED_PARTS, {
    splitting: true,
    chunkNames: 'chunks/sealed/[name]-[hash]',
    plugins: [withoutFrames(FROM), withoutUnused(FROM)],
  }),
  ...(await Promise.all(alone.map((entry) => bundle([entry], { plugins: [withoutUnused(FROM)] })))),
].flatMap(({ outputFiles }) => outputFiles);

// A complete folder replaces the old one, because processes may start from it at any time.
const made = `${TO}.new`;
const old = `${TO}.old`;
rmSync(made, { recursive: true, force: true });
// What the compiler wrote has a map beside it, which a page's script has not.
for (const name of readdirSync(FROM, { recursive: true }).map(String)) {
  const file = join(FROM, name);
  if (extname(name) === '.map' || extname(name) === '.tsbuildinfo') continue;
  if (existsSync(`${file}.map`)) {
    for (const [, place] of readFileSync(file, 'utf8').matchAll(/builtPlace\('([^']+\.js)'\)/g))
      if (![...shared, ...alone].includes(place))
        throw new Error(`${file} starts ${place}, which is no entry of .config/bundle-program.js`);
  } else if (extname(name) !== '') {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    cpSync(file, join(made, name));
  }
}
for (const { path, contents } of outputs) {
  const file = join(made, path.slice(TO.length));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}
chmodSync(join(made, bin.sandtable.replace(/^(\.\/)?dist\//, '')), 0o755);
rmSync(old, { recursive: true, force: true });
if (existsSync(TO)) renameSync(TO, old);
renameSync(made, TO);
rmSync(old, { recursive: true, force: true });
