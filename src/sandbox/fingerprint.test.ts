import type { PyDict, PyProxy } from 'pyodide/ffi';
import { describe, expect, test } from 'vitest';
import { loadTestPython } from '../../test/support/ta-python.ts';

const python = await loadTestPython();

describe.skipIf(python === undefined)('the comparison of --paranoid', () => {
  const scope = python?.toPy({}) as PyDict;
  // With `cut: false`, the import functions remain available, because the code below imports modules.
  const left = (
    python?.pyimport('sandtable_runtime') as PyProxy & { boot: (config: string) => () => string }
  )?.boot('{"cut": false, "paranoid": true}');
  python?.runPython(
    `from sandtable_runtime import bars
import numpy as np
bars.reserve("AAPL", 300)
np_at = np.add.at
def nothing(): pass
def price(): np_at(bars.frame("AAPL", 0, 8).close.to_numpy(), 0, 5)
def time(): np_at(bars.frame("AAPL", 0, 8).date.to_numpy(), 7, np.timedelta64(1, "D"))
import re, ta
re.search("kept", "kept")
close = bars.frame("AAPL", 0, 300).close
ta.ema(close, 5)
def entry(): re._cache2[next(iter(re._cache2))] = re.compile("other")
def result(): next(iter(ta._incremental._kept.values())).buffers[0][9] = 7
from collections.abc import Sized
class Other: pass
def registration(): Sized.register(Other)
def column(): np_at(bars.frame("AAPL", 0, 8).columns.to_numpy(), [3], "x")`,
    { globals: scope },
  );
  const after = (name: string): string => {
    const change = scope.get(name) as () => void;
    left!();
    change();
    return left!();
  };

  test('no lru_cache remains, because it would find values by equal keys', () => {
    python?.runPython('import gc; gc.collect()\nfrom sandtable_runtime.fingerprint import lru_caches', {
      globals: scope,
    });
    const names = (scope.get('lru_caches') as () => PyProxy & { toJs(): string[] })().toJs();
    expect(names).toEqual([]);
  });

  test.each([
    ['nothing', /^$/],
    ['price', /^the bars$/],
    ['time', /^the bars$/],
    ['column', /ndarray of 6/],
    ['entry', /^an entry of re\._cache2$/],
    ['result', /^the kept result of ta\.ema$/],
    ['registration', /Sized/],
  ])('%s', (name, said) => {
    after('nothing');
    expect(after(name)).toMatch(said);
  });
});
