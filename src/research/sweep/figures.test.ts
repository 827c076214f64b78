import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FIGURE_NAMES, figuresOf, figureType, NUMBER_NAMES, trialOf } from './figures.ts';

describe('the figures of a trial', () => {
  it('are the scalar fields of a summary, with money as numbers', () => {
    const figures = figuresOf({
      ...{ sharpe: 1.5, finalEquity: '10500.25', firstBar: '2020-01-02', sealed: true },
      ...{ underAYear: false, totalReturn: -0, maxDrawdown: Number.NaN, cagr: null },
      ...{ runId: 'x', strategy: 'y' },
    } as never);
    expect(Object.keys(figures)).toEqual(FIGURE_NAMES);
    expect(figures).toMatchObject({
      ...{ sharpe: 1.5, finalEquity: 10500.25, firstBar: '2020-01-02', sealed: true, underAYear: false },
      ...{ totalReturn: 0, maxDrawdown: null, cagr: null, sortino: null },
    });
    expect(Object.is(figures.totalReturn, 0)).toBe(true);
  });

  it('have a type, and all figures except texts can be objectives', () => {
    expect(['firstBar', 'sealed', 'sharpe'].map(figureType)).toEqual(['text', 'boolean', 'number']);
    expect(['sharpe', 'sealed', 'tradeCount'].every((name) => NUMBER_NAMES.includes(name))).toBe(true);
    expect(NUMBER_NAMES.some((name) => figureType(name) === 'text')).toBe(false);
    for (const name of ['runId', 'alarms', 'verdict', 'benchmark']) expect(FIGURE_NAMES).not.toContain(name);
  });
});

describe('the id of a trial', () => {
  const ground = {
    strategy: 's',
    data: ['d1', 'd2'],
    settings: { b: { z: 1, y: [2, { k: 1, j: null }] }, a: 2 },
  };
  const period = { from: '2020-01-01', to: '2021-01-01' };

  it('is a hash of all inputs that does not depend on the order of keys', () => {
    const content =
      '{"data":["d1","d2"],"parameters":{"fast":2,"slow":3},"period":{"closeAtEnd":false,"evaluateFrom":null,"from":"2020-01-01","to":"2021-01-01"},"settings":{"a":2,"b":{"y":[2,{"j":null,"k":1}],"z":1}},"strategy":"s"}';
    const id = createHash('sha256').update(content).digest('hex').slice(0, 32);
    const parameters = { slow: 3, fast: 2 };
    expect(trialOf(ground, parameters, period)).toEqual({ id, parameters, period });
    const explicit = { ...period, evaluateFrom: undefined, closeAtEnd: false };
    expect(trialOf(ground, { fast: 2, slow: 3 }, explicit).id).toBe(id);
  });

  it('differs with every input', () => {
    const ids = [
      trialOf(ground, { a: 1 }, period),
      trialOf(ground, { a: 2 }, period),
      trialOf({ ...ground, strategy: 't' }, { a: 1 }, period),
      trialOf({ ...ground, data: ['d2', 'd1'] }, { a: 1 }, period),
      trialOf({ ...ground, settings: {} }, { a: 1 }, period),
      trialOf(ground, { a: 1 }, { ...period, evaluateFrom: '2020-06-01' }),
      trialOf(ground, { a: 1 }, { ...period, closeAtEnd: true }),
      trialOf(ground, { a: 1 }, { ...period, later: [{ from: '2020-07-01', parameters: { a: 2 } }] }),
      trialOf(ground, { a: 1 }, { ...period, to: '2021-01-02' }),
      trialOf(ground, { a: 1 }, { ...period, from: '2020-01-02' }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
