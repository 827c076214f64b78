import { describe, expect, it } from 'vitest';
import type { ResearchRow, RunRow } from '../run-row.ts';
import { arranged, readView, viewAddress } from './arrange.ts';

const run = (runId: string, own: object = {}) =>
  ({
    runId,
    strategy: 'cross',
    symbols: ['A'],
    state: 'completed',
    sharpe: null,
    bars: 1,
    ...own,
  }) as unknown as RunRow;
const research = (name: string, kind: string, state = 'finished') =>
  ({ name, kind, state }) as unknown as ResearchRow;
const KEYS = ['runId', 'sharpe', 'strategy'];

/** Returns the items as texts: headings in brackets, with a minus sign if closed. */
function shown(
  runs: readonly RunRow[],
  others: readonly ResearchRow[] = [],
  address = '',
  closed: readonly string[] = [],
) {
  return arranged(runs, others, readView(address, KEYS), new Set(closed)).map((item) =>
    item.kind === 'head'
      ? `[${item.isClosed ? '-' : ''}${item.name} ${item.runs.length} ${item.research.length}]`
      : item.kind === 'run'
        ? item.row.runId
        : item.row.name,
  );
}

describe('the list of runs', () => {
  it('begins with running work, then studies, sweeps and tests, then runs by strategy', () => {
    const runs = [run('1'), run('2', { state: 'running' }), run('3', { strategy: 'other' }), run('4')];
    const others = [
      ...[
        research('a', 'sweep'),
        research('b', 'study'),
        research('c', 'study', 'running'),
        research('d', 'samples'),
      ],
      research('e', 'study'),
    ];
    const items = shown(runs, others);
    expect(items.slice(0, 9)).toEqual([
      ...['[Running 1 1]', 'c', '2', '[Studies 0 2]', 'e', 'b', '[Sweeps and tests 0 2]', 'd', 'a'],
    ]);
    expect(items.slice(9).map((item) => item.replace(/^\[.* (\d) \d\]$/, '[$1]'))).toEqual([
      '[2]',
      '4',
      '1',
      '[1]',
      '3',
    ]);
    expect(shown(runs, others, '', ['Studies'])).toContain('[-Studies 0 2]');
    expect(shown(runs, others, '', ['Studies'])).not.toContain('b');
    expect(shown(runs, others, '?group=none')).toEqual(['c', '2', 'e', 'b', 'd', 'a', '4', '3', '1']);
  });

  it('has no heading for a single group, except for running work', () => {
    expect(shown([run('1'), run('2')])).toEqual(['2', '1']);
    expect(shown([run('1', { state: 'running' })])).toEqual(['[Running 1 0]', '1']);
    expect(shown([], [research('a', 'study')])).toEqual(['a']);
  });

  it('is sorted by a column, with missing values last', () => {
    const runs = [run('1', { sharpe: 10 }), run('2'), run('3', { sharpe: 9 }), run('4', { sharpe: -1 })];
    expect(shown(runs, [], '?sort=sharpe')).toEqual(['4', '3', '1', '2']);
    expect(shown(runs, [], '?sort=-sharpe')).toEqual(['1', '3', '4', '2']);
    expect(shown(runs, [], '?sort=runId')).toEqual(['1', '2', '3', '4']);
    expect(shown([run('a', { strategy: 'x' }), run('b', { strategy: 'x' })], [], '?sort=strategy')).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('the address of a view', () => {
  it.each([
    '',
    '?search=a+b',
    '?sort=sharpe',
    '?sort=-sharpe',
    '?sort=runId',
    '?group=none',
    '?hide=bars%2Csharpe',
  ])('is the same after it was read: %j', (address) => {
    expect(viewAddress(readView(address, KEYS))).toBe(address);
  });

  it('omits defaults and unknown parts', () => {
    expect(viewAddress(readView('?sort=-runId&search=+&hide=,&group=yes', KEYS))).toBe('');
    expect(readView('?sort=unknown', KEYS)).toMatchObject({
      key: 'runId',
      direction: -1,
      isGrouped: true,
      search: '',
    });
    expect(viewAddress({ ...readView('', KEYS), search: ' x ' })).toBe('?search=x');
  });
});
