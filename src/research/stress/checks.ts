import { codeHash } from '../../agents/index.ts';
import { AppError, type Fault, faultsError, version } from '../../kernel/index.ts';
import type { StressManifest } from './folder.ts';
import type { StressRequest, WorldRunner } from './world-runner.ts';

/**
 * Checks that strategy and data of a resumed stress test have not changed.
 *
 * @throws AppError with every difference
 */
export function checkSame(
  folder: string,
  manifest: StressManifest,
  { strategy, sources }: WorldRunner,
): void {
  const faults: Fault[] = [];
  if (codeHash(strategy) !== manifest.strategySha256)
    faults.push({ where: strategy.file, message: 'is not the strategy of the first worlds' });
  const before = new Map(manifest.data.map(({ file, sha256 }) => [file, sha256]));
  for (const { file, sha256 } of sources)
    if (before.get(file) !== sha256)
      faults.push({ where: file, message: 'does not contain the data of the first worlds' });
  if (version() !== manifest.version)
    faults.push({ where: 'Sandtable', message: `is ${version()} now, and was ${manifest.version}` });
  if (faults.length > 0)
    throw faultsError(
      'data_changed',
      `Cannot continue ${folder}`,
      faults,
      'Restore the inputs, or start a new stress test.',
    );
}

/** @throws AppError `bad_flags` with every fault */
export function checkRequest({ worlds, jobs, shuffleTrades, options, terms }: StressRequest): void {
  const faults: Fault[] = [];
  const whole = (name: string, value: number | undefined): void => {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      faults.push({ where: name, message: `${value} is not a whole number of at least 1` });
  };
  whole('worlds', worlds);
  whole('jobs', jobs);
  whole('shuffleTrades', shuffleTrades);
  if (terms.blockLength !== undefined && terms.kind !== 'block-bootstrap')
    faults.push({
      where: 'block',
      message: `requires the kind block-bootstrap, and the kind is ${terms.kind}`,
    });
  if (terms.noise !== undefined && terms.kind !== 'noise')
    faults.push({ where: 'noise', message: `requires the kind noise, and the kind is ${terms.kind}` });
  if (options.detail !== undefined)
    faults.push({ where: 'detail', message: 'finer bars cannot be used with generated worlds' });
  if (faults.length > 0)
    throw faultsError('bad_flags', 'The stress test', faults, 'See: npx sandtable stress --help');
}

/** @throws AppError `no_budget` */
export function checkBudget({ budget = {} }: StressRequest, { strategy }: WorldRunner): void {
  if (strategy.kind !== 'llm' || Object.keys(budget).length > 0) return;
  throw new AppError({
    code: 'no_budget',
    message: `${strategy.file} calls a model on every world, and the stress test has no budget.`,
    hint: 'Set a budget for all worlds together, for example --budget usd=5 or --budget calls=2000.',
  });
}
