import { describe, expect, it } from 'vitest';
import { as, bar, finished, journalFiles, line, note, STARTED } from '../../test/support/small-events.ts';
import { cutNote, damageNote, readEvents, readJournal, recordOf } from './read.ts';
import { RecordBuilder } from './record-builder.ts';

const { fileOf } = journalFiles();
const FILL = {
  ...{ type: 'order_filled', bar: 1, orderId: 1, symbol: 'A', side: 'buy', quantity: '1', price: '1' },
  ...{ priceBeforeSlippage: '1', commission: '0.75', cash: '4' },
};
const PAID = { type: 'cash_entry', bar: 1, symbol: 'A', kind: 'dividend', amount: '1', cash: '5', base: '1' };

describe('events of a journal', () => {
  const found = (text: string, withBars: boolean, goOn = true) => {
    const [events, bad, bars]: [string[], unknown[], string[]] = [[], [], []];
    const count = readEvents(
      fileOf(text),
      (event) => {
        events.push(event.type);
        return event.type === 'wrong' ? 'is wrong' : undefined;
      },
      (one) => {
        bad.push(one);
        return goOn;
      },
      withBars
        ? (all, start, end) => {
            bars.push(all.slice(start, end));
            return all.slice(start, end).includes('"bar":1');
          }
        : undefined,
    );
    return { events, bad, bars, count };
  };

  it.each([false, true])('are read, and bad lines are reported by number (bars as lines: %s)', (withBars) => {
    const text = [
      line(STARTED),
      '',
      'nonsense',
      line(note(0)),
      '{"type":"wrong"}',
      '{"type":"link"}',
      '',
    ].join('\n');
    const { events, bad, count } = found(`${text}{"type":"no`, withBars);
    expect(events).toEqual(['run_started', 'note', 'wrong']);
    expect(bad).toEqual([
      { number: 3, isCut: false, fault: 'is not a journal event' },
      { number: 5, isCut: false, fault: 'is wrong' },
      { number: 7, isCut: true, fault: 'is not a journal event' },
    ]);
    expect(count).toBe(7);
    const stopped = found(text, withBars, false);
    expect([stopped.events, stopped.bad.length, stopped.count]).toEqual([['run_started'], 1, 6]);
  });

  it('of bars are parsed only if they are not read as lines', () => {
    const text = `${[STARTED, bar(0), bar(1)].map(line).join('\n')}\n`;
    const { events, bars } = found(text, true);
    expect(bars).toEqual([line(bar(0)), line(bar(1))]);
    expect(events).toEqual(['run_started', 'bar']);
    expect(found(text, false).events).toEqual(['run_started', 'bar', 'bar']);
  });

  it('are counted in a note if they are ignored', () => {
    expect(cutNote(7)).toBe('Line 7 is incomplete and was ignored.');
    expect(damageNote({ number: 3, fault: 'is not a journal event' }, 10)).toBe(
      'Line 3 is damaged. It and the 7 lines after it were ignored.',
    );
    expect(damageNote({ number: 3, fault: 'has no bar' }, 4)).toBe(
      'Line 3 is damaged (it has no bar). It and the line after it were ignored.',
    );
  });
});

describe('a record of a run', () => {
  const record = (...events: object[]) => recordOf(events.map(as));

  it('omits fills and payments of the last bar if the run failed within it', () => {
    const cut = record(STARTED, bar(0), note(1), FILL, PAID, finished('failed', { openTrades: [{ id: 1 }] }));
    expect(cut).toMatchObject({
      outcome: 'failed',
      commissionPaid: '2.25',
      openTrades: [],
      fills: [],
      cashEntries: [],
    });
    expect([cut.notes.length, cut.damage]).toEqual([1, []]);
    const paid = record(STARTED, bar(0), PAID, finished('stopped', { openTrades: [{ id: 1 }] }));
    expect(paid).toMatchObject({
      outcome: 'stopped',
      commissionPaid: '3',
      openTrades: [{ id: 1 }],
      cashEntries: [],
    });
  });

  it.each(['completed', 'insolvent'])(
    'includes fills and payments of the last bar if the run is %s',
    (outcome) => {
      const whole = record(
        STARTED,
        bar(0),
        FILL,
        PAID,
        finished(outcome, { openTrades: [{ id: 1 }], uncoveredBars: 2 }),
      );
      expect(whole).toMatchObject({
        outcome,
        commissionPaid: '3',
        openTrades: [{ id: 1 }],
        uncoveredBars: 2,
      });
      expect([whole.fills.length, whole.cashEntries.length]).toEqual([1, 1]);
    },
  );

  it('states how many events of an incomplete bar were ignored', () => {
    const killed = 'The journal has no run_finished event: the run was killed.';
    expect(record(STARTED, bar(0), note(1)).damage).toEqual([
      killed,
      '1 event of an incomplete bar was ignored.',
    ]);
    expect(record(STARTED, bar(0), note(1), FILL).damage).toEqual([
      killed,
      '2 events of an incomplete bar were ignored.',
    ]);
    expect(record(STARTED, bar(0))).toMatchObject({
      ...{ damage: [killed], outcome: 'interrupted', commissionPaid: null, uncoveredBars: 0, openTrades: [] },
    });
    expect(recordOf([as(STARTED)], ['a'], true).damage).toEqual(['a', 'The end of the run is missing too.']);
    expect(() => recordOf([as(note(0)), as(STARTED)])).toThrow('does not begin with a run_started event');
  });

  it('lists the events of each kind in order', () => {
    const types = {
      order_accepted: 'orders',
      order_rejected: 'rejections',
      order_cancelled: 'cancellations',
      trade_closed: 'trades',
      risk_halted: 'halts',
      split: 'splits',
      order_adjusted: 'adjustments',
      delisted: 'delistings',
      features_known: 'features',
      tool_called: 'toolCalls',
      model_configured: 'models',
      role_spoke: 'speeches',
      model_called: 'exchanges',
      decision_made: 'decisions',
      file_written: 'fileChanges',
    } as const;
    for (const [type, name] of Object.entries(types)) {
      const [one, other] = [
        { type, bar: 0, n: 1 },
        { type, bar: 0, n: 2 },
      ];
      expect(record(STARTED, one, other, bar(0), finished('completed'))[name]).toEqual([one, other]);
    }
    const changes = [
      { type: 'file_deleted', bar: 0 },
      { type: 'file_written', bar: 0 },
    ];
    expect(record(STARTED, ...changes, bar(0)).fileChanges).toEqual(changes);
  });

  it('of a running backtest copies the events that can change later', () => {
    const builder = new RecordBuilder();
    expect([builder.isEmpty, builder.bars]).toEqual([true, 0]);
    const [message, fill] = [note(0), { ...FILL, bar: 0 }];
    for (const event of [STARTED, message, fill, bar(0)]) builder.takeLive(as(event));
    expect([builder.isEmpty, builder.bars]).toEqual([false, 1]);
    message.text = 'changed';
    const { notes, fills } = builder.finish();
    expect(notes).toEqual([note(0)]);
    expect(fills[0]).toBe(fill);
    expect(builder.takeBarLine(line(bar(1)), 0, line(bar(1)).length)).toBe(false);
  });

  it('is equal if its bars are read as lines, even if columns cannot store a bar', () => {
    const odd = { ...bar(1), cash: '1234567890123456789' };
    for (const bars of [
      [bar(0), bar(1), bar(2)],
      [bar(0), odd, bar(2)],
      [odd, bar(1)].map((one, at) => ({ ...one, bar: at, date: `2020-01-0${at + 1}` })),
    ]) {
      const file = fileOf(
        `${[STARTED, note(0), ...bars, FILL, finished('completed')].map(line).join('\n')}\n`,
      );
      const [whole, light] = [readJournal(file), readJournal(file, { lightBars: true })];
      expect(JSON.parse(JSON.stringify(light))).toEqual(JSON.parse(JSON.stringify(whole)));
      expect(light.bars).toHaveLength(bars.length);
      expect(light.fills).toHaveLength(1);
    }
  });

  it('is refused without a run_started event, with the first bad line in the message', () => {
    expect(() => readJournal(fileOf(''))).toThrow(
      'The journal is empty: the run was killed before its start.',
    );
    expect(() => readJournal(fileOf('x\n'))).toThrow(
      'The journal does not begin with a run_started event: line 1 is not a journal event.',
    );
    expect(() => readJournal(fileOf('\n'))).toThrow('does not begin with a run_started event.');
    expect(readJournal(fileOf(`${line(STARTED)}\nx\n\n`), { salvage: true }).damage).toEqual([
      'Line 2 is damaged. It and the line after it were ignored.',
      'The end of the run is missing too.',
    ]);
  });
});
