/**
 * Mutation test of the code that determines fills, money, figures, evidence and masks: `npm run mutate --
 * --mutants 60 --seed 1`. Makes one small change at a time and counts the changes that a test detects. Not
 * part of CI, because a mutant takes 10 to 90 seconds.
 */
import { execFile, execFileSync } from 'node:child_process';
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
import { parseArgs, promisify, stripVTControlCharacters } from 'node:util';
import { createRandom } from '../../src/kernel/index.ts';
import { compiledSource } from './compile.ts';
import { type Mutant, mutantsOf, withMutant } from './mutants.ts';
import { batchesOf, RelatedTests, startsNoProcess } from './related-tests.ts';

/** Milliseconds. Much longer than the slowest test run on a busy machine. */
const TIMEOUT = 900_000;
/**
 * CPU seconds that a process may use. Ends endless loops independently of the load of the machine. All
 * scenarios together use 80.
 */
const COMPUTING = 300;
const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

const CODE = 'kernel|market|broker|engine|journal|results|masking|runner|research|toolkit/vfs|testing/steps';
/** Paths of sources that may be mutated. Excluded: browser code, Python and the command line. */
const SOURCES = new RegExp(`^src/(${CODE})/|^src/pages/[a-z/]*model/`);
interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'killed' | 'survived' | 'timed out' | 'equivalent';
  /** Reason why the mutant is equivalent to the original code, or the test that detected the mutant. */
  readonly reason?: string | undefined;
}

interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

/** Result of a test run. `by`: name of the first failed test. `undefined` if the output contains no name. */
interface Judgement {
  readonly outcome: 'passed' | 'killed' | 'timed out';
  readonly by?: string | undefined;
}

const PASSED: Judgement = { outcome: 'passed' };

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
    /**
     * Runs only tests that start no process, which is faster. Mutants that survive are then tested with all
     * tests in a second run with `--only`.
     */
    quick: { type: 'boolean', default: false },
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
  .filter((file) => SOURCES.test(file))
  .filter((file) => places.some(({ part }) => file.includes(part)))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/test-|\/index\.ts$/.test(file))
  .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ file, line: at }) =>
    places.some(({ part, line }) => file.includes(part) && (line ?? at) === at),
  );
const related = new RelatedTests(
  new Map(
    tracked
      .filter((file) => /^(src|test|strategies|bench)\/.*\.ts$/.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  ),
  values.near,
);
/**
 * Tests that start processes, by their result on the unchanged sources: `reliable` tests pass, `broken` tests
 * fail.
 */
const reliable = new Set<string>();
const broken = new Set<string>();
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
      if (verdict.reason !== undefined) process.stderr.write(`    ${verdict.reason}\n`);
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
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    // A copy, because a built module finds the other files of its checkout from its real path.
    for (const folder of ['.build', 'dist'])
      cpSync(join(root, folder), join(place, folder), { recursive: true });
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
  writeSource(mutant.file, withMutant(text, mutant), place);
  try {
    const { outcome, by } = await judged(mutant.file, place);
    return { mutant, outcome: outcome === 'passed' ? 'survived' : outcome, reason: by };
  } finally {
    writeSource(mutant.file, text, place);
  }
}

/**
 * Writes a source file and rebuilds the compiled program from it, because threads and processes load the
 * compiled program.
 */
function writeSource(file: string, text: string, place: string): void {
  writeFileSync(join(place, file), text);
  const built = join(place, file.replace(/^src\//, '.build/dist/').replace(/\.ts$/, '.js'));
  if (!existsSync(built)) return;
  writeFileSync(built, compiledSource(file, text));
  execFileSync(process.execPath, ['.config/bundle-program.js', '.build/dist', 'dist'], { cwd: place });
}

/**
 * Runs the tests that import the changed file, nearest first, until a test fails. If all pass, runs the
 * scenarios that start no process.
 */
async function judged(file: string, place: string): Promise<Judgement> {
  for (const tests of batchesOf(testsOf(file))) {
    let unit = await passesUnits(tests, place);
    for (let failed = fileOf(unit); failed !== undefined && !startsNoProcess(failed); failed = fileOf(unit)) {
      if (await passesUnchanged(failed, file, place)) break;
      const rest = tests.filter((name) => !broken.has(name));
      unit = rest.length === 0 ? PASSED : await passesUnits(rest, place);
    }
    if (unit.outcome !== 'passed') return unit;
  }
  return values.near || values.quick ? PASSED : passesScenarios(place);
}

function testsOf(file: string): string[] {
  return related.of(file).filter((name) => !broken.has(name) && (!values.quick || startsNoProcess(name)));
}

function passesScenarios(place: string): Promise<Judgement> {
  return passes(place, [
    'node_modules/@cucumber/cucumber/bin/cucumber.js',
    '--config',
    '.config/cucumber.json',
    '--profile',
    'mutate',
  ]);
}

/** Returns the file of the test that failed first. */
function fileOf({ by }: Judgement): string | undefined {
  return by?.split(' ')[0];
}

/**
 * Returns true if a test that starts processes passes without the change. A test may fail for another reason,
 * for example because a browser is missing. Such a test cannot detect changes and is not run again.
 */
async function passesUnchanged(test: string, file: string, place: string): Promise<boolean> {
  if (reliable.has(test)) return true;
  const changed = readFileSync(join(place, file), 'utf8');
  writeSource(file, readFileSync(join(root, file), 'utf8'), place);
  const passesOnce = async (): Promise<boolean> => (await passesUnits([test], place)).outcome === 'passed';
  // On a busy machine a test may reach a time limit once.
  const isReliable = (await passesOnce()) || (await passesOnce());
  writeSource(file, changed, place);
  (isReliable ? reliable : broken).add(test);
  if (!isReliable) process.stderr.write(`    ${test} fails twice without any change: ignored\n`);
  return isReliable;
}

function passesUnits(tests: readonly string[], place: string): Promise<Judgement> {
  const kind = tests.every(startsNoProcess) ? 'vitest.quick' : 'vitest';
  return passes(place, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    `.config/${kind}.config.ts`,
    '--bail=1',
    '--maxWorkers=1',
    '--experimental.fsModuleCache',
    ...tests,
  ]);
}

/** Checks that the tests pass on the unchanged sources. Otherwise they would fail for every mutant. */
async function checkJudges(): Promise<void> {
  const files = [...new Set(sample.map(({ file }) => file))];
  await inCopy(async (place) => {
    const tests = [...new Set(files.flatMap(testsOf))];
    for (const batch of batchesOf(tests)) {
      const { outcome } = await passesUnits(batch, place);
      process.stderr.write(`unchanged, ${batch.length} files of tests: ${outcome}\n`);
      if (outcome === 'passed') continue;
      process.stderr.write(`The tests fail without any change: fix them first. ${batch.join(' ')}\n`);
      process.exit(1);
    }
    if (values.near || values.quick) return;
    const { outcome, by = '' } = await passesScenarios(place);
    process.stderr.write(`unchanged, all scenarios: ${outcome}\n`);
    if (outcome === 'passed') return;
    process.stderr.write(`The scenarios fail without any change: fix them first. ${by}\n`);
    process.exit(1);
  });
}

async function passes(place: string, words: readonly string[]): Promise<Judgement> {
  try {
    const options = { cwd: place, maxBuffer: 1 << 28, timeout: TIMEOUT, killSignal: 'SIGKILL' as const };
    const limited = ['-c', `ulimit -t ${COMPUTING}; exec "$0" "$@"`, process.execPath, ...words];
    await run('sh', limited, options);
    return PASSED;
  } catch (error) {
    // Any error other than a failed process is an error in this program.
    if (!(error instanceof Error && 'killed' in error)) throw error;
    const output = 'stdout' in error ? String(error.stdout) + String(Reflect.get(error, 'stderr')) : '';
    const by = /(?: FAIL .*?|Scenario: .*# )((?:src|test|bench|strategies|features)\/.*)/.exec(
      stripVTControlCharacters(output),
    )?.[1];
    return { outcome: error.killed === true ? 'timed out' : 'killed', by };
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
