import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { findOracle, loadTestPython } from '../../test/support/ta-python.ts';

type Expected = Record<string, Record<string, (number | null)[]>>;

const oracle = findOracle();
const python = oracle === undefined ? undefined : await loadTestPython();
const ready = oracle !== undefined && python !== undefined;
if (!ready) skipBecause('ta oracle tests skipped: they need ../shared/oracles and the pandas wheels.');

const expected: Expected = ready ? JSON.parse(readFileSync(join(oracle, 'expected.json'), 'utf8')) : {};

function run<Result>(code: string): Result {
  return JSON.parse(python!.runPython(code) as string) as Result;
}

describe.skipIf(!ready)('ta compared with the pandas_ta oracle', () => {
  beforeAll(() => {
    python!.globals.set('input_csv', readFileSync(join(oracle!, 'input.csv'), 'utf8'));
    python!.globals.set('expected_json', JSON.stringify(expected));
    python!.runPython(`
import io, json
import numpy as np
import pandas as pd
import ta
from ta._registry import parameters

frame = pd.read_csv(io.StringIO(input_csv), index_col='date', parse_dates=True)
for column in frame:
    frame[column].to_numpy().flags.writeable = False
expected = json.loads(expected_json)

def price_names(name):
    return [p for p in parameters(name) if p in ('open_', 'high', 'low', 'close', 'volume')]

def prices(name):
    return {p: frame[p.rstrip('_')] for p in price_names(name)}

def first_frame(result):
    result = result[0] if isinstance(result, tuple) else result
    return result.to_frame() if isinstance(result, pd.Series) else result

def compare(result, wanted):
    faults = []
    if list(result.columns) != list(wanted):
        return [f'columns {list(result.columns)}, wanted {list(wanted)}']
    for column, values in wanted.items():
        got = result[column].to_numpy(float)
        want = np.array([np.nan if value is None else value for value in values])
        if len(got) != len(want):
            faults.append(f'{column} has {len(got)} rows, wanted {len(want)}')
            continue
        blank = np.flatnonzero(np.isnan(got) != np.isnan(want))
        if blank.size:
            faults.append(f'{column} is NaN in other rows, first {blank[0]}')
        far = np.flatnonzero(np.abs(got - want) > np.maximum(1e-8 * np.abs(want), 1e-8))
        if far.size:
            faults.append(f'{column} differs in {far.size} rows, first {far[0]}: {got[far[0]]} for {want[far[0]]}')
    return faults

def check(name):
    return json.dumps(compare(first_frame(getattr(ta, name)(**prices(name))), expected[name]))

def check_accessor(name):
    # The oracle was given every price its signature names; the frame gives optional ones only when asked.
    chosen = {p: p.rstrip('_') for p in price_names(name)}
    indexed = compare(first_frame(getattr(frame.ta, name)(**chosen)), expected[name])
    shouted = frame.reset_index().rename(columns=str.upper)
    return json.dumps(indexed + compare(first_frame(getattr(shouted.ta, name)(**chosen)), expected[name]))
`);
  });

  for (const name of Object.keys(expected)) {
    it(`ta.${name} has pandas_ta's columns and numbers`, () => {
      expect(run(`check('${name}')`)).toEqual([]);
    });
    it(`df.ta.${name} has the same values, on a date index and on a RangeIndex with a DATE column`, () => {
      expect(run(`check_accessor('${name}')`)).toEqual([]);
    });
  }
});
