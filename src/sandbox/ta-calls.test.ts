import { beforeAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { loadTestPython } from '../../test/support/ta-python.ts';

const python = await loadTestPython();
if (python === undefined) skipBecause('ta call tests skipped: they need the pandas wheels.');

function run(code: string): unknown {
  return JSON.parse(python!.runPython(`json.dumps(${code})`) as string);
}

/** Returns the error of an expression, as "Type: message". */
function fault(code: string): string {
  python!.globals.set('faulty', code);
  return python!.runPython('fault(faulty)') as string;
}

describe.skipIf(python === undefined)('a call of ta', () => {
  beforeAll(() => {
    python!.runPython(`
import json, sys
loaded_before = [name for name in sys.modules if name == 'ta' or name.startswith('ta.')]
import numpy as np
import pandas as pd
import ta
ta.sma
loaded_by_sma = sorted(name for name in sys.modules if name.startswith('ta.') and name.count('.') == 2)
from ta._registry import CATEGORY_OF, load, parameters

rng = np.random.default_rng(4)
close = 100 + np.cumsum(rng.normal(size=300))
df = pd.DataFrame({'date': pd.date_range('2020-01-01', periods=300), 'open': close + 0.1, 'high': close + 1, 'low': close - 1,
                   'close': close, 'volume': rng.integers(1, 9, 300) * 100.0})

def fault(code):
    try:
        return f'no error: {type(eval(code)).__name__}'
    except Exception as error:
        return f'{type(error).__name__}: {error}'
`);
  });

  it('imports only the module of the used indicator', () => {
    if ((run('loaded_before') as string[]).length > 0) return;
    expect(run('loaded_by_sma')).toEqual(['ta.overlap.sma']);
  });

  it('suggests the closest indicator', () => {
    expect(fault('ta.rsii')).toMatch(/AttributeError: .*did you mean ta\.rsi\?/);
    expect(fault('df.ta.rsii()')).toMatch(/AttributeError: .*did you mean df\.ta\.rsi\?/);
    expect(fault('ta.bollinger_bands')).toMatch(/did you mean ta\.bbands\?/);
    expect(fault('ta.qwertyuiop')).toMatch(/ta\.Category/);
  });

  it('reports the column or value that is wrong', () => {
    expect(fault("df[['open', 'high']].ta.rsi()")).toBe(
      "ValueError: df.ta.rsi needs a column 'close'; this frame has: open, high.",
    );
    expect(fault('ta.rsi(df)')).toMatch(/TypeError: close must be one column/);
    expect(fault("ta.rsi('close')")).toMatch(/TypeError: close must be a pandas Series/);
    expect(fault("ta.rsi(df.close, '14')")).toMatch(/TypeError: length must be a number, not '14'/);
    expect(fault('ta.rsi(df.date)')).toMatch(/TypeError: close must hold numbers/);
    expect(fault('ta.rsi(df.close, lenght=9)')).toMatch(
      /TypeError: unknown keyword 'lenght'; did you mean 'length'/,
    );
    expect(fault("df.ta.cdl_pattern(name='enguling')")).toMatch(/ValueError: .*did you mean 'engulfing'/);
    expect(fault("df.ta.strategy('momentun')")).toMatch(/ValueError: .*did you mean 'momentum'/);
    expect(fault("ta.ema(df.close, fill_method='up')")).toMatch(/ValueError: fill_method must be/);
  });

  it('uses defaults for None, zero and negative lengths, and returns None for short input', () => {
    expect(run('[ta.rsi(df.close, n).name for n in (None, 0, -3)]')).toEqual(['RSI_14', 'RSI_14', 'RSI_14']);
    expect(run('[ta.rsi(df.close.head(5)), ta.rsi(None)] == [None, None]')).toBe(true);
    expect(run('ta.rsi(df.close, 14, talib=True).equals(ta.rsi(df.close, 14, talib=False))')).toBe(true);
  });

  it('supports offset and fill', () => {
    expect(run('ta.sma(df.close, 5, offset=3).equals(ta.sma(df.close, 5).shift(3))')).toBe(true);
    expect(run('ta.sma(df.close, 5, fillna=0).equals(ta.sma(df.close, 5).fillna(0))')).toBe(true);
    expect(run("ta.macd(df.close, fill_method='bfill').equals(ta.macd(df.close).bfill())")).toBe(true);
    expect(run('ta.macd(df.close, offset=2, fillna=1.5).name')).toBe('MACD_12_26_9');
  });

  it('appends to its frame, with new names on request', () => {
    python!.runPython(`
own = df.copy()
own.ta.rsi(length=9, append=True)
own.ta.bbands(20, 2.5, append=True, prefix='B', suffix='x')
own.ta.macd(append=True, col_names=('line', 'histogram', 'signal'))
own.ta.sma(close='volume', length=5, append=True)
`);
    expect(run('list(own.columns[6:])')).toEqual([
      'RSI_9',
      'B_BBL_20_2.5_x',
      'B_BBM_20_2.5_x',
      'B_BBU_20_2.5_x',
      'B_BBB_20_2.5_x',
      'B_BBP_20_2.5_x',
      'line',
      'histogram',
      'signal',
      'SMA_5',
    ]);
    expect(run('bool(own.SMA_5.iloc[-1] == df.volume.iloc[-5:].mean())')).toBe(true);
    expect(run('list(df.columns)')).toHaveLength(6);
  });

  it('finds columns in any case, and dates for vwap', () => {
    python!.runPython('loud = df.rename(columns=str.title)');
    expect(run('loud.ta.atr().equals(ta.atr(df.high, df.low, df.close))')).toBe(true);
    expect(run('bool(np.allclose(loud.ta.vwap(), ta.hlc3(df.high, df.low, df.close)))')).toBe(true);
    expect(run("loud.ta.vwap(anchor='M').name")).toBe('VWAP_M');
    expect(run("loud.ta(kind='ema', length=4).name")).toBe('EMA_4');
  });

  it('runs a strategy of a category, a list, a name or a Strategy object', () => {
    python!.runPython(`
a, b, c = df.copy(), df.copy(), df.copy()
a.ta.strategy('volatility')
b.ta.study(ta.Strategy('mine', [{'kind': 'ema', 'params': (20,)}, {'kind': 'sma', 'close': 'volume', 'length': 20, 'prefix': 'VOL'}]))
new = c.ta.strategy(['rsi', {'kind': 'macd'}], append=False)
c.ta.strategy(exclude=['rsi'])
`);
    expect(run("{'ATRr_14', 'BBL_5_2.0', 'UI_14'} <= set(a.columns)")).toBe(true);
    expect(run('list(b.columns[6:])')).toEqual(['EMA_20', 'VOL_SMA_20']);
    expect(run('list(new.columns)')).toEqual(['RSI_14', 'MACD_12_26_9', 'MACDh_12_26_9', 'MACDs_12_26_9']);
    expect(run("c.shape[1] > 200 and 'RSI_14' not in c.columns and len(c) == 300")).toBe(true);
  });

  it('offers every moving average as mamode', () => {
    expect(
      run(
        '[m for m in ta.ma() if ta.ma(m, df.close, length=10).name != ta.zlma(df.close, 10, mamode=m).name[3:]]',
      ),
    ).toEqual([]);
    python!.runPython(
      "with_mode = [n for n in CATEGORY_OF if 'mamode' in parameters(n) and n not in ('squeeze', 'squeeze_pro')]",
    );
    expect(
      run(`[(n, m) for n in with_mode for m in ta.ma() if getattr(df.ta, n)(mamode=m) is None]`),
    ).toEqual([]);
  });

  it('returns the signals and crossings of an indicator', () => {
    expect(run('list(df.ta.rsi(signal_indicators=True, xa=70, xb=30).columns)')).toEqual([
      'RSI_14',
      'RSI_14_A_70',
      'RSI_14_B_30',
    ]);
    expect(run('ta.cross(df.close, ta.sma(df.close, 20)).name')).toBe('close_XA_SMA_20');
    expect(
      run(
        'int(ta.cross_value(df.close, 100).sum()) == int(((df.close > 100) & (df.close.shift() < 100)).sum())',
      ),
    ).toBe(true);
    expect(run('list(df.ta.tsignals(trend=df.close > ta.sma(df.close, 50)).columns)')).toEqual([
      'TS_Trends',
      'TS_Trades',
      'TS_Entries',
      'TS_Exits',
    ]);
  });

  it('finds a constructed candle pattern', () => {
    python!.runPython(`
calm = [(100.0, 101.0, 99.0, 100.5)] * 12
def drawn(name, *candles):
    o, h, l, c = (pd.Series(x) for x in zip(*calm, *candles))
    return float(ta.cdl_pattern(o, h, l, c, name=name)[f'CDL_{name.upper()}'].iloc[-1])
`);
    expect(run("drawn('engulfing', (101, 101.2, 99, 99.5), (99, 102, 98.8, 101.8))")).toBe(100);
    expect(run("drawn('engulfing', (99.5, 101.2, 99, 101), (101.8, 102, 98.8, 99))")).toBe(-100);
    expect(run("drawn('hammer', (100, 100.6, 99, 99.2), (99.0, 99.25, 96, 99.2))")).toBe(100);
    expect(run("drawn('shootingstar', (100, 101, 99.8, 100.8), (101.2, 104, 101.15, 101.4))")).toBe(-100);
    expect(
      run("drawn('morningstar', (103, 103.2, 98.8, 99), (98, 98.3, 97.6, 98.2), (98.5, 102.4, 98.3, 102))"),
    ).toBe(100);
    expect(run("drawn('marubozu', (100, 103, 100, 103))")).toBe(100);
    expect(run("drawn('dragonflydoji', (100, 100.05, 98, 100))")).toBe(100);
    expect(run("drawn('hammer', (100, 101, 99, 100.5))")).toBe(0);
  });

  it('describes every indicator: purpose, parameters, columns, source', () => {
    expect(
      run(
        "[n for n in CATEGORY_OF if any(part not in (load(n).__doc__ or '') for part in ('Returns:', 'Source:'))]",
      ),
    ).toEqual([]);
    expect(run("[n for n in CATEGORY_OF if 'Parameters:' not in load(n).__doc__]")).toEqual(['pvr']);
    expect(run('sorted(sum(ta.Category.values(), [])) == sorted(CATEGORY_OF)')).toBe(true);
    expect(run("list(parameters('rsi'))")).toEqual(['close', 'length', 'scalar', 'talib', 'drift', 'offset']);
    python!.runPython('from ta._document import markdown');
    expect(run('(lambda text: [n for n in CATEGORY_OF if f"\\n`ta.{n}(" not in text])(markdown())')).toEqual(
      [],
    );
  });
});
