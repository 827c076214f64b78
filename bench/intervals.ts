/**
 * Measures the coverage of the 95% confidence interval in a run's verdict, which compares the run with its
 * benchmark. The simulations have a true difference of 0.
 *
 *   npm run intervals -- --simulations 4000 --seed 1
 *
 * Prints two tables. The first is in docs/metrics.md. The second is in docs/study.md: the share of simulated
 * studies without a difference whose p-value is below 0.05. The exit code is 1 if a mean-return coverage in
 * the first table is outside 0.93 to 0.97.
 */
import { parseArgs } from 'node:util';
import { coverageOf, PERSISTENCES, SESSIONS } from '../test/intervals/coverage.ts';
import { shareFound } from '../test/intervals/paired.ts';

const { values } = parseArgs({
  options: {
    simulations: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
  },
});

const name = (persistence: number): string =>
  persistence === 0 ? 'independent' : `AR(1), ρ = ${persistence}`;
const write = (line: string): unknown => process.stdout.write(`${line}\n`);

write('| Session returns | Sessions | Mean return | Sharpe ratio |');
write('| --- | ---: | ---: | ---: |');
for (const persistence of PERSISTENCES)
  for (const sessions of SESSIONS) {
    const { mean, sharpe } = coverageOf(
      persistence,
      sessions,
      Number(values.simulations),
      Number(values.seed),
    );
    write(
      `| ${name(persistence)} | ${sessions.toLocaleString('en-US')} | ${mean.toFixed(3)} | ${sharpe.toFixed(3)} |`,
    );
    if (mean < 0.93 || mean > 0.97) process.exitCode = 1;
  }

const WINDOWS = [
  [1, 20],
  [1, 60],
  [1, 250],
  [4, 20],
  [4, 60],
  [6, 126],
] as const;
write('');
write(`| Session differences | ${WINDOWS.map(([windows, each]) => `${windows} × ${each}`).join(' | ')} |`);
write(`| --- |${' ---: |'.repeat(WINDOWS.length)}`);
for (const memory of PERSISTENCES) {
  const shares = WINDOWS.map(([windows, sessions]) =>
    shareFound({ windows, sessions, memory }, Number(values.simulations), Number(values.seed)),
  );
  write(`| ${name(memory)} | ${shares.map((share) => share.toFixed(3)).join(' | ')} |`);
}
