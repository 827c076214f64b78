/**
 * Measures the coverage of the verdict's 95% interval in simulations with a true difference of 0.
 *
 *   npm run intervals -- --simulations 4000 --seed 1
 *
 * Prints the table in docs/metrics.md. The exit code is 1 if a cell is outside 0.93 to 0.97.
 */
import { parseArgs } from 'node:util';
import { coverageOf, PERSISTENCES, SESSIONS } from '../test/intervals/coverage.ts';

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
