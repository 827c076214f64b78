/**
 * Mutation test of the code that determines fills, money and figures: `npm run mutate -- --mutants 80 --seed
 * 1`. Makes one small change at a time and counts the changes that a test detects. Not part of CI, because a
 * mutant takes 10 to 40 seconds.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createRandom } from '../../src/kernel/index.ts';
import { type Mutant, mutantsOf, withMutant } from './mutants.ts';

/** Milliseconds. Much longer than the slowest test run on a busy machine. */
const TIMEOUT = 1_200_000;
/**
 * CPU seconds that a process may use, ten times the need of any test file. Ends endless loops independently
 * of the load of the machine.
 */
const COMPUTING = 240;

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Layers: the sources to change, and the unit tests and scenarios that cover them. */
const FEATURES = [
  'features/fills',
  'features/orders.feature',
  'features/risk.feature',
  'features/account.feature',
];
const LAYERS: readonly { readonly source: RegExp; readonly tests: readonly string[]; features: string[] }[] =
  [
    { source: /^src\/account\//, tests: ['src/account', 'src/engine'], features: FEATURES },
    {
      source: /^src\/broker\//,
      tests: ['src/broker', 'src/engine', 'test/reference'],
      features: FEATURES,
    },
    {
      source: /^src\/engine\//,
      tests: ['src/engine'],
      features: [...FEATURES, 'features/engine.feature'],
    },
    {
      source: /^src\/market\//,
      tests: ['src/market'],
      features: ['features/data.feature', 'features/detail.feature'],
    },
    { source: /^src\/journal\//, tests: ['src/journal'], features: ['features/exports.feature'] },
    {
      source: /^src\/analysis\//,
      tests: ['src/analysis', 'src/runs', 'src/pages'],
      features: ['features/report.feature', 'features/account.feature'],
    },
  ];

interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'killed' | 'survived' | 'timed out' | 'equivalent';
  readonly reason?: string;
}

interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '80' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    /**
     * Parts of file names, separated by commas, each with an optional line: `fifo-book.ts:144,src/market/`.
     */
    only: { type: 'string', default: '' },
    /**
     * Runs only the tests named after a changed file. This takes minutes instead of hours, and detects fewer
     * changes.
     */
    near: { type: 'boolean', default: false },
    /** Skips the check that the tests pass on the unchanged sources. */
    trusted: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const tracked = (await run('git', ['ls-files'], { cwd: root, maxBuffer: 1 << 26 })).stdout.trim().split('\n');
const equivalents = JSON.parse(
  readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8'),
) as readonly Equivalent[];

const places = values.only.split(',').map((text) => {
  const [part = '', line] = text.split(':');
  return { part, line: line === undefined ? undefined : Number(line) };
});
const all = tracked
  .filter((file) => LAYERS.some(({ source }) => source.test(file)))
  .filter((file) => places.some(({ part }) => file.includes(part)))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/test-|\/index\.ts$/.test(file))
  .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ file, line: at }) =>
    places.some(({ part, line }) => file.includes(part) && (line ?? at) === at),
  );
const sample = sampleOf(all, Number(values.mutants), Number(values.seed));
process.stderr.write(`${sample.length} of ${all.length} mutants, seed ${values.seed}\n`);

const queue = [...sample];
const verdicts: Verdict[] = [];
if (!values.trusted) await checkJudges();
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
report();

/** Draws mutants without replacement. The same seed and sources give the same mutants. */
function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = createRandom(seed, 'mutants');
  const rest = [...mutants];
  const drawn: Mutant[] = [];
  while (drawn.length < count && rest.length > 0)
    drawn.push(...rest.splice(random.integer(0, rest.length - 1), 1));
  return drawn;
}

/** Processes mutants from the queue until it is empty, in a separate copy of the checkout. */
async function work(): Promise<void> {
  await inCopy(async (place) => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await judge(mutant, place);
      verdicts.push(verdict);
      process.stderr.write(`${verdicts.length}/${sample.length} ${verdict.outcome}: ${describe(mutant)}\n`);
    }
  });
}

async function inCopy(task: (place: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'sandtable-mutate-'));
  const place = join(home, 'checkout');
  // Oracle tests read this folder next to a checkout. Without it they are skipped, which detects fewer
  // changes.
  const shared = join(root, '../shared');
  try {
    if (existsSync(shared)) symlinkSync(realpathSync(shared), join(home, 'shared'));
    for (const file of tracked) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      cpSync(join(root, file), join(place, file));
    }
    for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(place, name));
    await task(place);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function judge(mutant: Mutant, place: string): Promise<Verdict> {
  const text = readFileSync(join(root, mutant.file), 'utf8');
  const known = equivalents.find(
    ({ file, line, original, replacement }) =>
      file === mutant.file &&
      original === mutant.original &&
      replacement === mutant.replacement &&
      text.split('\n')[mutant.line - 1]?.trim() === line,
  );
  if (known !== undefined) return { mutant, outcome: 'equivalent', reason: known.why };
  const copy = join(place, mutant.file);
  writeFileSync(copy, withMutant(text, mutant));
  try {
    const outcome = await judgedNearFirst(mutant, place);
    return { mutant, outcome: outcome === 'passed' ? 'survived' : outcome };
  } finally {
    writeFileSync(copy, text);
  }
}

function layerOf({ file }: Mutant): (typeof LAYERS)[number] {
  return LAYERS.find(({ source }) => source.test(file))!;
}

type Judgement = 'passed' | 'killed' | 'timed out';

/** Runs the tests named after the changed file first. They detect most changes in a tenth of the time. */
async function judgedNearFirst(mutant: Mutant, place: string): Promise<Judgement> {
  const near = nearTests(mutant.file);
  const first = near.length === 0 ? 'passed' : await passesUnits(near, place);
  return first === 'passed' && !values.near ? judged(layerOf(mutant), place) : first;
}

function nearTests(file: string): string[] {
  const stem = file.slice(0, -'.ts'.length);
  return tracked.filter((name) => name.startsWith(stem) && name.endsWith('.test.ts'));
}

function passesUnits(tests: readonly string[], place: string): Promise<Judgement> {
  return passes(place, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    '.config/vitest.config.ts',
    '--bail=1',
    '--maxWorkers=1',
    ...tests,
  ]);
}

async function judged({ tests, features }: (typeof LAYERS)[number], place: string): Promise<Judgement> {
  for (const folder of tests) {
    const unit = await passesUnits([folder], place);
    if (unit !== 'passed') return unit;
  }
  return passes(place, [
    'node_modules/@cucumber/cucumber/bin/cucumber.js',
    '--config',
    '.config/cucumber.json',
    '--profile',
    'mutate',
    ...features,
  ]);
}

/** Checks that the tests pass on the unchanged sources. Otherwise they would fail for every mutant. */
async function checkJudges(): Promise<void> {
  const layers = LAYERS.filter((one) => sample.some((mutant) => layerOf(mutant) === one));
  const check = (place: string): Promise<void> => checkSome(layers, place);
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => inCopy(check)));
}

async function checkSome(layers: (typeof LAYERS)[number][], place: string): Promise<void> {
  for (let layer = layers.shift(); layer !== undefined; layer = layers.shift()) {
    const outcome = await judged(layer, place);
    process.stderr.write(`unchanged ${layer.source}: ${outcome}\n`);
    if (outcome === 'passed') continue;
    process.stderr.write('The tests fail without any change: fix them first.\n');
    process.exit(1);
  }
}

async function passes(place: string, words: readonly string[]): Promise<Judgement> {
  try {
    const options = { cwd: place, maxBuffer: 1 << 28, timeout: TIMEOUT, killSignal: 'SIGKILL' as const };
    const limited = ['-c', `ulimit -t ${COMPUTING}; exec "$0" "$@"`, process.execPath, ...words];
    await run('sh', limited, options);
    return 'passed';
  } catch (error) {
    // Any error other than a failed process is an error in this program.
    if (!(error instanceof Error && 'killed' in error)) throw error;
    return error.killed === true ? 'timed out' : 'killed';
  }
}

function describe({ file, line, original, replacement }: Mutant): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line} ${short(original)} -> ${short(replacement)}`;
}

function report(): void {
  const of = (outcome: Verdict['outcome']): readonly Verdict[] =>
    verdicts.filter((verdict) => verdict.outcome === outcome);
  const noticed = of('killed').length + of('timed out').length;
  const counted = noticed + of('survived').length;
  const score = counted === 0 ? null : noticed / counted;
  const survivors = of('survived')
    .map(({ mutant }) => describe(mutant))
    .sort();
  if (values.json) {
    const counts = { mutants: sample.length, noticed, equivalent: of('equivalent').length };
    process.stdout.write(`${JSON.stringify({ seed: Number(values.seed), ...counts, score, survivors })}\n`);
    return;
  }
  process.stdout.write(`${noticed} of ${counted} noticed`);
  process.stdout.write(score === null ? '\n' : ` (${(100 * score).toFixed(1)} %)\n`);
  if (of('equivalent').length > 0) process.stdout.write(`${of('equivalent').length} change nothing\n`);
  for (const survivor of survivors) process.stdout.write(`survived  ${survivor}\n`);
}
