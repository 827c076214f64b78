import { spawnSync } from 'node:child_process';

/**
 * Python program that is compared with Sandtable. Uses backtesting.py if installed. Otherwise uses a simple
 * event loop with one event per bar, orders, trades and equity, in float64.
 */
const STRATEGY = `
import sys, time, json
import numpy as np, pandas as pd
path = sys.argv[1]
df = pd.read_csv(path, parse_dates=['date'], index_col='date')
df.columns = [c.capitalize() for c in df.columns]

def sma(values, n):
    return pd.Series(values).rolling(n).mean()

try:
    from backtesting import Backtest, Strategy
    from backtesting.lib import crossover
    class Cross(Strategy):
        fast, slow, fraction = 10, 20, .9999
        def init(self):
            self.quick = self.I(sma, self.data.Close, self.fast)
            self.lazy = self.I(sma, self.data.Close, self.slow)
        def next(self):
            if crossover(self.quick, self.lazy):
                self.position.close(); self.buy(size=self.fraction)
            elif crossover(self.lazy, self.quick):
                self.position.close(); self.sell(size=self.fraction)
    name, library = 'backtesting.py', Backtest(df, Cross, cash=1_000_000, commission=.0002)
except ImportError:
    name, library = 'a bar loop in pandas and numpy (backtesting.py is not here)', None

class Order:
    __slots__ = ('size',)
    def __init__(self, size): self.size = size

class Trade:
    __slots__ = ('size', 'price', 'bar', 'exit_price', 'exit_bar')
    def __init__(self, size, price, bar):
        self.size, self.price, self.bar, self.exit_price, self.exit_bar = size, price, bar, None, None

class Broker:
    def __init__(self, opens, closes, cash, commission, fraction):
        self.opens, self.closes, self.cash, self.commission = opens, closes, cash, commission
        self.fraction = fraction
        self.orders, self.trades, self.closed, self.equity = [], [], [], np.empty(len(opens))
    def next(self, i):
        price = self.opens[i]
        for order in list(self.orders):
            if order.size == 0:
                for trade in self.trades:
                    trade.exit_price, trade.exit_bar = price, i
                    self.cash += trade.size * price - abs(trade.size) * price * self.commission
                    self.closed.append(trade)
                self.trades = []
            else:
                units = int(self.cash * self.fraction / (price * (1 + self.commission)))
                size = units if order.size > 0 else -units
                if units > 0:
                    self.cash -= size * price + units * price * self.commission
                    self.trades.append(Trade(size, price, i))
            self.orders.remove(order)
        self.equity[i] = self.cash + sum(t.size * self.closes[i] for t in self.trades)

def by_hand(fast, slow, fraction=.9999):
    opens, closes = df['Open'].to_numpy(), df['Close'].to_numpy()
    quick, lazy = sma(closes, fast).to_numpy(), sma(closes, slow).to_numpy()
    broker = Broker(opens, closes, 1_000_000, .0002, fraction)
    for i in range(len(df)):
        broker.next(i)
        if i < slow: continue
        up = quick[i - 1] <= lazy[i - 1] and quick[i] > lazy[i]
        down = quick[i - 1] >= lazy[i - 1] and quick[i] < lazy[i]
        if up or down:
            broker.orders += [Order(0), Order(1 if up else -1)]
    return broker
`;

const ONE_RUN = `
fast, slow = int(sys.argv[2]), int(sys.argv[3])
started = time.perf_counter()
if library is None: by_hand(fast, slow)
else: library.run(fast=fast, slow=slow)
print(json.dumps({'name': name, 'seconds': time.perf_counter() - started}))
`;

/**
 * Python program that runs a parameter grid. Uses `optimize` of backtesting.py if installed. Otherwise runs
 * the simple event loop in parallel and calculates only five figures per trial.
 */
const ALL_RUNS = `
import itertools, multiprocessing
grid, workers = json.loads(sys.argv[2]), int(sys.argv[3])

def one(values):
    broker = by_hand(**dict(zip(grid, values)))
    equity = broker.equity
    returns = np.diff(equity) / equity[:-1]
    gains = np.array([t.size * (t.exit_price - t.price) for t in broker.closed])
    return (equity[-1] / equity[0] - 1, returns.mean() / returns.std() * 252 ** .5,
            (equity / np.maximum.accumulate(equity) - 1).min(), len(gains), (gains > 0).mean())

started = time.perf_counter()
if library is None:
    with multiprocessing.Pool(workers) as pool:
        rows = pool.map(one, itertools.product(*grid.values()), chunksize=20)
    max(rows, key=lambda row: row[1])
else:
    library.optimize(**grid, maximize='Sharpe Ratio')
print(json.dumps({'name': name, 'seconds': time.perf_counter() - started}))
`;

interface PythonLoop {
  readonly name: string;
  readonly seconds: number;
  /** Duration of the whole process, with imports and the reading of the file. */
  readonly processSeconds: number;
}

/**
 * Environment variable with the folder of the sources of backtesting.py. For a Python without the installed
 * package.
 */
const SOURCE = 'SANDTABLE_BACKTESTING';

/**
 * Runs the SMA cross over a file of bars in Python. Tries Debian's Python first. Undefined if pandas is not
 * installed.
 */
export function eventLoopInPython(
  data: string,
  { fast, slow }: { readonly fast: number; readonly slow: number },
): PythonLoop | undefined {
  return inPython(STRATEGY + ONE_RUN, [data, String(fast), String(slow)]);
}

/**
 * Runs every combination of a grid of fast, slow and fraction on several cores. Undefined if pandas is not
 * installed.
 */
export function optimizeInPython(
  data: string,
  grid: Readonly<Record<'fast' | 'slow' | 'fraction', readonly number[]>>,
  workers: number,
): PythonLoop | undefined {
  return inPython(STRATEGY + ALL_RUNS, [data, JSON.stringify(grid), String(workers)]);
}

function inPython(program: string, words: readonly string[]): PythonLoop | undefined {
  for (const python of ['/usr/bin/python3', 'python3']) {
    const folder = process.env[SOURCE];
    const env = folder === undefined ? process.env : { ...process.env, PYTHONPATH: folder };
    const startedAt = performance.now();
    const { status, stdout } = spawnSync(python, ['-c', program, ...words], { encoding: 'utf8', env });
    const processSeconds = (performance.now() - startedAt) / 1000;
    // The libraries may print warnings before the last line.
    const last = stdout.trim().split('\n').at(-1)!;
    if (status === 0) return { ...(JSON.parse(last) as Omit<PythonLoop, 'processSeconds'>), processSeconds };
  }
  return undefined;
}
