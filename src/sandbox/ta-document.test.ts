import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { loadTestPython } from '../../test/support/ta-python.ts';

const python = await loadTestPython();
if (python === undefined) skipBecause('ta document tests skipped: they need the pandas wheels.');

function run<Result>(code: string): Result {
  return JSON.parse(python!.runPython(`import json\n${code}`) as string) as Result;
}

const page = new URL('../../docs/ta.md', import.meta.url);

describe.skipIf(python === undefined)('docs/ta.md', () => {
  it('equals the output of `npm run docs:ta` from the docstrings', () => {
    const made = python!.runPython('from ta._document import markdown\nmarkdown()') as string;
    // Compared as a boolean, because a difference of 2,000 lines is unreadable.
    expect(readFileSync(page, 'utf8') === made, 'docs/ta.md is out of date: run `npm run docs:ta`').toBe(
      true,
    );
  });

  it('has an entry for every indicator of every category: call, columns, source', () => {
    const entries = readFileSync(page, 'utf8').split(/^### /m).slice(1);
    const names = run<string[]>('import ta\njson.dumps(sorted(sum(ta.Category.values(), [])))');
    expect(entries.map((entry) => entry.split('\n')[0]!).sort()).toEqual(names);
    for (const entry of entries) {
      const [name] = entry.split('\n');
      expect(entry).toContain(`\`ta.${name}(`);
      for (const part of ['**Returns**: ', '**Source**: ']) expect(entry, name).toContain(part);
      if (name !== 'pvr') expect(entry, name).toContain('**Parameters**:');
    }
  });

  it('states differences to TA-Lib for known indicators only', () => {
    expect(
      run(
        'from ta._differences import TALIB\nfrom ta._registry import CATEGORY_OF\njson.dumps([n for n in TALIB if n not in CATEGORY_OF])',
      ),
    ).toEqual([]);
    const text = readFileSync(page, 'utf8');
    for (const name of ['rsi', 'atr', 'adx', 'macd', 'stoch', 'kama']) {
      expect(text).toMatch(new RegExp(`^\\| \\[${name}\\]\\(#${name}\\) \\| .{3,} \\| .{10,} \\|$`, 'm'));
    }
  });

  it('lists the actual defaults: passing them changes nothing', () => {
    const faults = run(`
import numpy as np
import pandas as pd
import ta
from ta._parameters import REQUIRED, documented
from ta._registry import CATEGORY_OF, load, parameters

rng = np.random.default_rng(9)
close = 100 + np.cumsum(rng.normal(size=400))
frame = pd.DataFrame({'open': close + rng.normal(size=400) / 3, 'high': close + 2, 'low': close - 2, 'close': close,
                      'volume': rng.integers(1, 9, 400) * 1e6})
frame.index = pd.date_range('2020-01-01', periods=400)
series = {'fast': frame.close, 'slow': frame.open, 'trend': frame.close > frame.open, 'signal': frame.close, 'xa': 100, 'xb': 100}

def same(a, b):
    if isinstance(a, tuple):
        return all(same(x, y) for x, y in zip(a, b))
    a, b = (x.to_frame() if isinstance(x, pd.Series) else x for x in (a, b))
    # As in pandas_ta, a given 2 is 2.0 in a column's name, and a default of 2 is 2.
    return [c.replace('.0', '') for c in a] == [c.replace('.0', '') for c in b] and np.array_equal(a, b, equal_nan=True)

faults = []
for name in CATEGORY_OF:
    known = documented(name)
    columns = {p: frame[p.rstrip('_')] for p in parameters(name) if p in ('open_', 'high', 'low', 'close', 'volume') and p not in known}
    columns |= {p: series[p] for p, each in known.items() if each.default is REQUIRED}
    plain = load(name)(**columns)
    values = {p: each.default for p, each in known.items() if each.default not in (REQUIRED, None)}
    values |= {p: values[each.same_as] for p, each in known.items() if each.same_as in values}
    for key, value in values.items():
        if not same(plain, load(name)(**columns, **{key: value})):
            faults.append(f'{name} {key}={value!r}')
json.dumps(faults)
`);
    expect(faults).toEqual([]);
  });
});
