import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../market/index.ts';
import { codeContext, givenData, requestOfChecked, requestOfOptions } from './run-strategy.ts';

const { series } = simulateMarket({ seed: 1, bars: 4, symbols: ['AAA', 'BBB'], start: '2024-01-01' });
const market = simulateMarket({ seed: 1, bars: 4, symbols: ['AAA'], start: '2024-01-01' });

describe('data passed in code', () => {
  it('may be files, a market or series', () => {
    const options = { riskFree: 0.1 };
    expect(givenData('a.csv', options)).toEqual({ options: { riskFree: 0.1, data: ['a.csv'] } });
    expect(givenData(['a.csv', 'b.csv'], options)).toEqual({
      options: { riskFree: 0.1, data: ['a.csv', 'b.csv'] },
    });
    expect(givenData(market, options)).toEqual({ options, market });
    expect(givenData(series, options).market!.symbols).toEqual(['AAA', 'BBB']);
    expect(givenData([], options)).toEqual({ options: { riskFree: 0.1, data: [] } });
  });
});

describe('the request of a run in code', () => {
  const request = (own: object = {}) => requestOfChecked({ strategy: 's.ts', data: 'a.csv', ...own }).request;

  it('has defaults for parameters, settings and the folder', () => {
    expect(request()).toEqual({
      ...{ strategy: 's.ts', parameters: {}, settings: {} },
      options: { data: ['a.csv'], out: resolve('reports') },
    });
    const own = { parameters: { fast: 1 }, settings: { cash: 5 }, out: '/own', riskFree: 0.1 };
    expect(request(own)).toEqual({
      ...{ strategy: 's.ts', parameters: { fast: 1 }, settings: { cash: 5 } },
      options: { data: ['a.csv'], out: '/own', riskFree: 0.1 },
    });
    expect(request({ out: false }).options.out).toBe(resolve('reports'));
    expect(request({ strategy: undefined, agent: 'x' })).not.toHaveProperty('strategy');
  });

  it('may have features as files or as rows', () => {
    expect(request({ features: 'f.csv' }).options.features).toEqual(['f.csv']);
    expect(request({ features: ['f.csv', 'g.csv'] }).options.features).toEqual(['f.csv', 'g.csv']);
    const { features, options } = request({ features: [{ date: '2024-01-02', mood: 1 }] });
    expect(features!.tables).toHaveLength(1);
    expect(features!.sources).toMatchObject([{ features: ['mood'], rows: 1 }]);
    expect(options).not.toHaveProperty('features');
  });

  it('may have context as files or as series', () => {
    expect(request({ context: 'c.csv' }).options.context).toEqual(['c.csv']);
    expect(request({ context: ['c.csv'] }).options.context).toEqual(['c.csv']);
    const found = request({ context: [series[0]!] });
    expect(found.context).toEqual([series[0]]);
    expect(found.options).not.toHaveProperty('context');
    expect(request()).not.toHaveProperty('context');
  });

  it('is refused if an option is invalid', () => {
    expect(() => requestOfOptions({ strategy: 's.ts', data: 'a.csv', out: 5 } as never)).toThrow(
      'out: is neither a folder nor false',
    );
    expect(requestOfOptions({ strategy: 's.ts', data: 'a.csv', out: false }).request.options.data).toEqual([
      'a.csv',
    ]);
  });
});

describe('the context of work in code', () => {
  it('forwards notes, warnings and the progress in the requested units', () => {
    const heard: unknown[] = [];
    const stop = new AbortController();
    const context = codeContext(
      {
        signal: stop.signal,
        environment: { A: 'b' },
        onProgress: (...values) => heard.push(values),
        onNote: (text) => heard.push(text),
      },
      ['bars', 'worlds'],
    );
    context.observer.note('note');
    context.observer.warn('warning');
    context.observer.progress('label', 1, 2, 'bars');
    context.observer.progress('label', 3, 4, 'steps');
    context.observer.progress('label', 5, 6, 'worlds');
    expect(heard).toEqual(['note', 'warning', [1, 2], [5, 6]]);
    expect(context.environment).toEqual({ A: 'b' });
    expect(context.listen().signal).toBe(stop.signal);
    const silent = codeContext({}, ['bars']);
    silent.observer.note('x');
    silent.observer.progress('label', 1, 2, 'bars');
    expect(silent.listen().signal.aborted).toBe(false);
  });
});
