import { beforeAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { inDepth, sampled } from '../../test/support/depth.ts';
import { loadTestPython } from '../../test/support/ta-python.ts';

const python = await loadTestPython();
if (python === undefined) skipBecause('ta property tests skipped: they need the pandas wheels.');

function run(code: string): unknown {
  return JSON.parse(python!.runPython(`json.dumps(${code})`) as string);
}

const setUp = `
import json
import numpy as np
import pandas as pd
import ta
from ta import _incremental
from ta._registry import CATEGORY_OF, REPAINTS, load, parameters

PRICES = ('open_', 'high', 'low', 'close', 'volume')

def market(seed, rows):
    rng = np.random.default_rng(seed)
    close = np.round(100 * np.exp(np.cumsum(rng.normal(0, 0.01, rows))), 2)
    open_ = np.where(rng.random(rows) < 0.3, close, np.round(close + rng.normal(0, 0.6, rows), 2))
    high = np.maximum(open_, close) + np.round(np.abs(rng.normal(0, 0.4, rows)), 2) * (rng.random(rows) < 0.8)
    low = np.minimum(open_, close) - np.round(np.abs(rng.normal(0, 0.4, rows)), 2) * (rng.random(rows) < 0.8)
    columns = {'open': open_, 'high': high, 'low': low, 'close': close, 'volume': rng.integers(0, 9, rows) * 1e5}
    for values in columns.values():
        values.flags.writeable = False
    return columns

def frame_of(columns, rows=None):
    return pd.DataFrame({k: pd.Series(v[:rows], copy=False) for k, v in columns.items()}, copy=False)

def apply(function, name, frame, /, **chosen):
    if name in ('long_run', 'short_run'):
        return function(fast=frame.close, slow=frame.open, **chosen)
    if name == 'tsignals':
        return function(trend=frame.close > frame.open, **chosen)
    if name == 'xsignals':
        return function(signal=frame.close, xa=100, xb=100, **chosen)
    return function(**{p: frame[p.rstrip('_')] for p in parameters(name) if p in PRICES}, **chosen)

def as_frame(result):
    result = result[0] if isinstance(result, tuple) else result
    return result.to_frame() if isinstance(result, pd.Series) else result

def differs(a, b):
    """What two results differ in, bit for bit, on the labels of the first."""
    if a is None or b is None:
        return '' if a is b else 'None'
    a, b = as_frame(a), as_frame(b)
    if list(a.columns) != list(b.columns): return f'columns {list(a.columns)}, {list(b.columns)}'
    if list(a.dtypes) != list(b.dtypes): return f'dtypes {list(a.dtypes)}, {list(b.dtypes)}'
    if not a.index.isin(b.index).all(): return 'index'
    for column in a.columns:
        x, y = a[column].to_numpy(), b[column].loc[a.index].to_numpy()
        if x.dtype.kind == 'f':
            apart = (x.view(np.int64) != y.view(np.int64)) & ~(np.isnan(x) & np.isnan(y))
        else:
            apart = x != y
        if apart.any():
            place = int(np.flatnonzero(apart)[0])
            return f'{column} at {place} of {len(x)}: {x[place]!r}, {y[place]!r}'
    return ''

def prefix_faults(names, **chosen):
    columns, faults = market(5, 300), {}
    for name in names:
        whole = apply(load(name), name, frame_of(columns), **chosen)
        for rows in range(100, 300, 19):
            fault = differs(apply(load(name), name, frame_of(columns, rows), **chosen), whole)
            if fault:
                faults[name] = fault
                break
    return faults

def continued_faults(calls):
    columns, faults = market(7, 520), {}
    for name, chosen in calls:
        _incremental.forget()
        _incremental.trust(columns)
        for rows in [*range(400, 424), 447, 520, 450]:
            frame = frame_of(columns, rows)
            got, want = apply(load(name), name, frame, **chosen), apply(load(name).__wrapped__, name, frame, **chosen)
            fault = differs(got, want) or ('' if len(got) == len(want) else 'length')
            if fault:
                faults[name] = fault
                break
        if not _incremental._kept:
            faults.setdefault(name, 'never continued')
    _incremental.forget()
    return faults

def stepped_faults(calls):
    columns, faults, stepped = market(11, 900), {}, set()
    for place, name in enumerate(('high', 'low', 'close')):
        values = columns[name].copy()
        values[620 + place] = np.nan
        values[660] = np.inf
        values[700:760] = 7.0
        columns[name] = values
    for name, length in calls:
        _incremental.forget()
        _incremental.trust(columns)
        for rows in [*range(612, 626), *range(655, 668), *range(698, 708), 803, 900]:
            frame = frame_of(columns, rows)
            got = apply(load(name), name, frame, length=length)
            fault = differs(got, apply(load(name).__wrapped__, name, frame, length=length))
            if fault:
                faults[f'{name} {length}'] = fault
                break
        if any(kept.step for kept in _incremental._kept.values()):
            stepped.add(name)
    _incremental.forget()
    return faults or {name: 'never stepped' for name in ('sma', 'ema', 'rma', 'rsi', 'atr') if name not in stepped}

def cases():
    wild = {}
    for rows in (0, 1, 2, 3, 5, 13, 27, 60):
        wild[f'{rows} rows'] = frame_of(market(1, rows))
    def changed(change):
        frame = frame_of(market(2, 60)).copy()
        change(frame)
        return frame
    def put(frame, rows, value): frame.iloc[rows] = value
    wild['constant'] = changed(lambda f: put(f, slice(None), 5.0))
    wild['zero'] = changed(lambda f: put(f, slice(None), 0.0))
    wild['nan'] = changed(lambda f: put(f, slice(None), np.nan))
    wild['hole'] = changed(lambda f: put(f, 20, np.nan))
    wild['late start'] = changed(lambda f: put(f, slice(0, 7), np.nan))
    wild['infinity'] = changed(lambda f: put(f, 30, np.inf))
    wild['no volume'] = changed(lambda f: f.__setitem__('volume', 0.0))
    return wild

def degenerate_faults():
    import warnings
    faults = {}
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        for label, frame in cases().items():
            before = frame.copy()
            for name in CATEGORY_OF:
                try:
                    apply(load(name), name, frame)
                except Exception as error:
                    faults[f'{name} on {label}'] = f'{type(error).__name__}: {error}'
            if not frame.equals(before):
                faults[label] = 'the input was changed'
    return faults
`;

describe.skipIf(python === undefined)('properties of ta', () => {
  beforeAll(() => {
    python!.runPython(setUp);
  });

  it.runIf(inDepth(4))('the value of a bar does not depend on later bars', () => {
    expect(run(`prefix_faults([n for n in CATEGORY_OF if n not in REPAINTS])`)).toEqual({});
  });

  it('repainting indicators are listed, and the listed alternatives do not repaint', () => {
    expect(run(`sorted(prefix_faults([n for n in REPAINTS if n != 'vp']))`)).toEqual([
      'dpo',
      'ichimoku',
      'ssf',
      'tos_stdevall',
    ]);
    expect(run(`prefix_faults(['dpo'], centered=False)`)).toEqual({});
    expect(run(`prefix_faults(['ichimoku'], include_chikou=False)`)).toEqual({});
    expect(
      run(`[n for n in REPAINTS if not any(each in ' '.join(load(n).__doc__.split())
                 for each in ('ahead', 'repaint', 'change with each new bar', 'not a bar'))]`),
    ).toEqual([]);
  });

  it('indicators are continued bit for bit at every bar', () => {
    const names = run(`[n for n in CATEGORY_OF if n not in _incremental._NOT_CONTINUED]`) as string[];
    const calls = sampled(names, 9).map((name) => `('${name}', {})`);
    expect(calls.length).toBeGreaterThan(8);
    expect(run(`continued_faults([${calls.join(', ')}])`)).toEqual({});
  });

  it.runIf(inDepth(4))(
    'indicators with other parameters are continued bit for bit at every bar',
    () => {
      const calls = `[*[('zlma', {'mamode': m, 'length': 7}) for m in ta.ma() if m != 'zlma'],
      ('rsi', {'length': 3}), ('macd', {'fast': 5, 'slow': 40, 'signal': 7}), ('macd', {'asmode': True}), ('stoch', {'mamode': 'ema'}),
      ('bbands', {'length': 50, 'mamode': 'rma'}), ('atr', {'percent': True}), ('increasing', {'length': 4, 'strict': True}),
      ('squeeze', {'lazybear': True, 'detailed': True}), ('squeeze_pro', {'detailed': True}), ('td_seq', {'show_all': False}),
      ('cdl_pattern', {'name': 'engulfing'}), ('cdl_pattern', {'name': '3whitesoldiers'}), ('linreg', {'r': True}), ('rvi', {'refined': True}),
      ('kc', {'tr': False}), ('cmo', {'talib': False}), ('ebsw', {'initial_version': False}), ('hwc', {'channel_eval': True})]`;
      expect(run(`continued_faults(${calls})`)).toEqual({});
    },
    300_000,
  );

  it('steps from bar to bar are the same bit for bit, over gaps, infinities and equal prices', () => {
    const lengths = new Set([14, ...sampled([1, 3, 200], 3, 3)]);
    const cases = ['sma', 'ema', 'rma', 'rsi', 'atr'].flatMap((name) =>
      [...lengths].map((length) => `('${name}', ${length})`),
    );
    expect(run(`stepped_faults([${cases.join(', ')}])`)).toEqual({});
  });

  it('changed columns are never continued, and results belong to the caller', () => {
    python!.runPython(`
columns = market(9, 400)
_incremental.forget(); _incremental.trust(columns)
first, second = (ta.rsi(frame_of(columns, rows).close, 14) for rows in (300, 301))
second.iloc[100] = -1.0
changed = frame_of(columns, 301).copy()
changed.loc[200, 'close'] = 500.0
`);
    expect(run(`bool(ta.rsi(frame_of(columns, 302).close, 14).iloc[100] > 0)`)).toBe(true);
    expect(run(`differs(ta.rsi(changed.close, 14), load('rsi').__wrapped__(changed.close, 14))`)).toBe('');
    expect(
      run(
        `differs(ta.rsi(frame_of(columns, 150).close, 14), load('rsi').__wrapped__(frame_of(columns, 150).close, 14))`,
      ),
    ).toBe('');
    expect(run(`len(_incremental._kept)`)).toBe(1);
    python!.runPython(`
columns['close'].flags.writeable = True
columns['close'][:] = market(10, 400)['close']
`);
    expect(
      run(
        `differs(ta.rsi(frame_of(columns, 310).close, 14), load('rsi').__wrapped__(frame_of(columns, 310).close, 14))`,
      ),
    ).toBe('');
    python!.runPython('_incremental.forget()');
  });

  it('short, flat, empty and broken input is handled and not changed', () => {
    expect(run('degenerate_faults()')).toEqual({});
  });

  it('values scale with the price, or do not depend on its scale', () => {
    python!.runPython(`
small = market(11, 200)
large = {k: v * (1.0 if k == 'volume' else 4.0) for k, v in small.items()}
def ratio(name):
    a, b = (as_frame(apply(load(name), name, frame_of(x))).iloc[:, 0].dropna() for x in (small, large))
    return bool(np.allclose(b, a, rtol=1e-9, atol=1e-9)), bool(np.allclose(b, 4 * a, rtol=1e-9, atol=1e-9))
`);
    const free =
      'rsi stoch stochrsi willr cci adx mfi roc aroon chop cmo er ppo trix tsi uo vortex zscore natr bop cti';
    const bound =
      'sma ema wma rma hma dema tema t3 atr mom macd bbands donchian kc vwma stdev linreg supertrend psar ao';
    expect(run(`[n for n in '${free}'.split() if ratio(n) != (True, False)]`)).toEqual([]);
    expect(run(`[n for n in '${bound}'.split() if ratio(n) != (False, True)]`)).toEqual([]);
  });

  it('values that use only changes do not depend on a constant added to the price', () => {
    python!.runPython(`
base = market(12, 200)
raised = {k: v + (0.0 if k == 'volume' else 64.0) for k, v in base.items()}
def moved(name):
    a, b = (as_frame(apply(load(name), name, frame_of(x))).iloc[:, 0].dropna() for x in (base, raised))
    return not np.allclose(a, b, rtol=1e-8, atol=1e-8)
`);
    expect(
      run(
        `[n for n in 'rsi mom macd atr true_range stdev variance zscore stoch willr cci cmo er obv'.split() if moved(n)]`,
      ),
    ).toEqual([]);
  });

  it('leading NaN only delays values', () => {
    python!.runPython(`
x = pd.Series(market(13, 120)['close'])
late = pd.concat([pd.Series([np.nan] * 9), x], ignore_index=True)
def delayed(name):
    a, b = (as_frame(getattr(ta, name)(series)).to_numpy() for series in (x, late))
    return np.isnan(b[:9]).all() and np.allclose(a, b[9:], rtol=1e-9, equal_nan=True)
`);
    expect(
      run(
        `[n for n in 'sma wma rma rsi mom roc stdev zscore bbands hma linreg median'.split() if not delayed(n)]`,
      ),
    ).toEqual([]);
  });
});
