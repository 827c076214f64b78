import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { type RuntimeReply, RuntimeUnderTest } from '../../test/support/python-runtime.ts';

// Tests of cases outside features/indicator.feature, which describes the ordinary answers of the tool.
const loaded = await RuntimeUnderTest.load();
if (loaded === undefined) skipBecause('indicator tests skipped: they need the pandas wheels.');
const python = loaded as RuntimeUnderTest;

function ask(name: unknown, parameters: unknown = {}, changes: object = {}): RuntimeReply {
  const request = {
    name,
    parameters,
    symbol: 'AAPL',
    symbols: [{ symbol: 'AAPL', start: 0, length: 60 }],
    limits: { timeoutMs: 500, resultBytes: 32_768 },
    seed: 1,
    bar: 59,
    ...changes,
  };
  return python.raw('indicator', JSON.stringify(request));
}

const names = (): string[] =>
  python.compute('sum([list(names) for names in ta.Category.values()], [])').result as string[];

describe.skipIf(loaded === undefined)('the indicator operation', () => {
  it('leaves no state: the child does not need to restore its heap', () => {
    expect(ask('rsi')).toMatchObject({ ok: true, dirty: false });
    expect(ask('rsii')).toMatchObject({ ok: false, kind: 'IndicatorError', dirty: false });
  });

  it('continues from bar to bar with the same numbers as one computation', () => {
    const value = (symbol: string, length: number) =>
      (
        ask('rsi', { length: 5 }, { symbol, symbols: [{ symbol, start: 0, length }] }).result as {
          value: number;
        }
      ).value;
    for (const symbol of ['WALK', 'LEAP']) python.feed(symbol, 600, 7);
    for (let length = 400; length < 600; length += 7) value('WALK', length);
    expect(value('WALK', 600)).toBe(value('LEAP', 600));
    expect(value('WALK', 600)).toBe(
      python.compute('latest(ta.rsi(df.close, 5))', { symbols: ['WALK'], length: 600 }).result,
    );
  });

  it('uses only the bars from start on', () => {
    const reply = ask('sma', { length: 30 }, { symbols: [{ symbol: 'AAPL', start: 40, length: 60 }] });
    expect(reply.result).toMatchObject({
      value: null,
      note: expect.stringMatching(/no value in the 20 bars so far/),
    });
  });

  it('answers very large lengths immediately', () => {
    for (const name of names()) {
      for (const key of ['length', 'slow', 'signal', 'drift', 'offset']) {
        const reply = ask(name, { [key]: 100_000_000 });
        if (reply.ok) continue;
        expect(reply.kind, `${name} ${key}: ${reply.error}`).toBe('IndicatorError');
      }
    }
  });

  it.each([
    ['', {}],
    ['__class__', {}],
    ['rsi', { __class__: 1 }],
    ['rsi', { length: { name: 'rsi' } }],
    ['rsi', { length: [14] }],
    ['rsi', { length: true }],
    ['sma', { close: 5 }],
    ['sma', { close: { name: 5 } }],
    ['sma', { close: { name: 'sma', parameters: 7 } }],
    ['sma', { close: { name: 'sma', length: 5, parameters: { length: 6 } } }],
    [
      'sma',
      { close: { name: 'sma', close: { name: 'sma', close: { name: 'sma', close: { name: 'sma' } } } } },
    ],
    ['tos_stdevall', { stds: [[1]] }],
    ['cdl_pattern', { name: ['doji', 5] }],
    ['cdl_pattern', { name: [] }],
    ['long_run', { fast: 'close', slow: 3 }],
    ['xsignals', { signal: 'close', xa: 'high', xb: false }],
    ['vwap', { anchor: '__class__' }],
    ['vwap', { datetime: 'now' }],
  ] as [unknown, unknown][])('refuses %j with %j and its own message', (name, parameters) => {
    const reply = ask(name, parameters);
    expect(reply).toMatchObject({ ok: false, dirty: false });
    expect(reply.kind, reply.error).toBe('IndicatorError');
    expect(reply.remediation).not.toBe('');
  });

  it('handles invalid requests', () => {
    for (const request of ['', '{}', '[]', 'null', '{"name": "rsi"}']) {
      expect(python.raw('indicator', request)).toMatchObject({ ok: false });
    }
    expect(ask('rsi', {}, { symbol: 'NONE' })).toMatchObject({ ok: false });
    expect(ask('rsi', {}, { symbols: [{ symbol: 'AAPL', start: 0, length: 10_000_000 }] })).toMatchObject({
      ok: false,
    });
  });
});
