import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../missing.ts';
import { equityAlong, randomCurve } from './curves.ts';
import { Draw } from './draw.ts';
import { type PathCase, type SolvedCase, solveCase } from './one-bar.ts';
import { randomCase } from './random-case.ts';

const ORACLE = new URL('../../../shared/oracles/paths/cases.json', import.meta.url);

/** Returns the worst and best equity according to the search over all price paths. */
const boundsOf = (given: PathCase): [number, number] => {
  const { worse, better } = solveCase(given);
  return [Number(worse), Number(better)];
};

describe('all price paths of one bar', () => {
  it.skipIf(!sharedIsHere(ORACLE))(
    'agree with the cases of an independent search (skipped where ../shared is missing)',
    () => {
      const cases = JSON.parse(readFileSync(ORACLE, 'utf8')) as SolvedCase[];
      expect(cases.length).toBe(40);
      for (const one of cases) expect([one, ...boundsOf(one)]).toEqual([one, one.worse, one.better]);
    },
  );

  it('have bounds that contain the results of random paths, and some reach each bound', () => {
    let ambiguous = 0;
    for (let seed = 0; seed < 800; seed++) {
      const given = randomCase(seed);
      const [worse, better] = boundsOf(given);
      if (worse < better) ambiguous += 1;
      const draw = new Draw(seed);
      const reached = new Set<number>();
      for (let curve = 0; curve < 4_000; curve++) {
        const equity = equityAlong(given, randomCurve(given, draw));
        const isInside = equity >= worse && equity <= better;
        if (!isInside) expect({ given, equity }).toEqual({ given, equity: `from ${worse} to ${better}` });
        reached.add(equity);
        if (curve >= 40 && reached.has(worse) && reached.has(better)) break;
      }
      expect({ given, worse: reached.has(worse), better: reached.has(better) }).toEqual({
        given,
        worse: true,
        better: true,
      });
    }
    expect(ambiguous).toBeGreaterThan(100);
  });
});
