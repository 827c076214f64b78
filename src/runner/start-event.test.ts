import { describe, expect, it } from 'vitest';
import { DOORS, readRunSettings } from '../engine/index.ts';
import { type StartedRun, startEvent, startOfStrategy } from './start-event.ts';

const settings = readRunSettings({ cash: 500 });
const loaded = {
  market: { clock: [1, 2, 3] },
  sources: [{ sha256: 'd', symbols: ['A'], file: 'a.csv' }],
  ...{ actionsSource: undefined, futuresSources: [], featureSources: [], contextSources: [] },
  pointInTime: { sources: [] },
};
const extras = { undated: [], allowScripts: false, repl: 'decision', given: undefined };
const started = (own: object = {}) =>
  startEvent({
    strategy: { name: 's', kind: 'rules', parameters: {} },
    ...{ ownDoors: [], settings, symbols: ['A'], loaded, extras },
    ...own,
  } as unknown as StartedRun);

describe('the first event of a run', () => {
  it('contains the strategy, settings and data of the run', () => {
    const event = started();
    expect(event).toMatchObject({
      ...{ type: 'run_started', schema: 1, symbols: ['A'], bars: 3, sealed: true },
      strategy: { name: 's', kind: 'rules', parameters: {} },
      data: [{ sha256: 'd', symbols: ['A'] }],
    });
    for (const name of ['detail', 'stamps', 'openDoors', 'files', 'mask'])
      expect(event).not.toHaveProperty(name);
    expect(event.settings).not.toHaveProperty('repl');
  });

  it('contains a hash of every file', () => {
    const files = {
      ...loaded,
      actionsSource: { sha256: 'a', actions: 4 },
      futuresSources: [{ sha256: 'r', kind: 'rolls', rows: 5 }],
      featureSources: [{ sha256: 'f', features: ['mood'], rows: 6 }],
      contextSources: [{ sha256: 'c', symbols: ['VIX'] }],
      pointInTime: { sources: [{ sha256: 'n', kind: 'documents', rows: 7 }] },
    };
    const detail = { sources: [{ sha256: 'm', symbols: ['A'] }] };
    expect(started({ loaded: files, detail })).toMatchObject({
      data: [
        { sha256: 'd', symbols: ['A'] },
        { sha256: 'a', actions: 4 },
        { sha256: 'r', rolls: 5 },
        { sha256: 'f', features: ['mood'], rows: 6 },
        { sha256: 'c', context: ['VIX'] },
        { sha256: 'n', documents: 7 },
      ],
      detail: [{ sha256: 'm', symbols: ['A'] }],
    });
  });

  it('lists the open doors of a run that is not sealed', () => {
    expect(started({ ownDoors: ['own'] })).toMatchObject({ sealed: false, openDoors: ['own'] });
    const open = { ...extras, undated: ['a.md'], allowScripts: true };
    expect(started({ extras: open })).toMatchObject({
      sealed: false,
      openDoors: [DOORS.files, DOORS.scripts],
    });
    expect(started({ saysDoors: true })).toMatchObject({ sealed: true, openDoors: [] });
    const given = { count: 1, sha256: 'x' };
    expect(started({ extras: { ...extras, given } })).toMatchObject({
      sealed: true,
      openDoors: [],
      files: given,
    });
  });

  it('has stamps for same-bar fills and for a masked shape of the market', () => {
    const mask = { kinds: ['shape'] };
    expect(started({ mask })).toMatchObject({ mask, stamps: ['market of another shape'] });
    expect(started({ mask: { kinds: ['dates'] } })).not.toHaveProperty('stamps');
    const atClose = readRunSettings({ fillOn: 'close' });
    expect(started({ settings: atClose, mask })).toMatchObject({
      stamps: ['same-bar fills', 'market of another shape'],
    });
    expect(started({ extras: { ...extras, repl: 'run' } }).settings).toMatchObject({ repl: 'run' });
  });
});

describe('the open doors of a strategy', () => {
  const doors = (own: object) => {
    const strategy = { name: 's', kind: 'rules', parameters: {}, runsOwnCode: false, ...own };
    return startOfStrategy({ strategy, loaded, extras } as never, settings, ['A']).openDoors;
  };

  it.each([
    [{}, undefined],
    [{ runsOwnCode: true }, [DOORS.strategyCode]],
    [{ seesAllBars: 'all bars' }, ['all bars']],
    [{ kind: 'agent' }, [DOORS.agent]],
    [{ costs: { slippage: () => 0 } }, [DOORS.costs]],
    [{ sealedDescriptors: 'closed' }, []],
  ])('of %j are %j', (own, expected) => {
    expect(doors(own)).toEqual(expected);
  });
});
