import { spawnSync } from 'node:child_process';

/** backtesting.py where a Python here has it; else a loop of its kind: an event a bar, orders, trades, equity, float64. */
const PROGRAM = `
import sys, time, json
import numpy as np, pandas as pd
path, fast, slow = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
df = pd.read_csv(path, parse_dates=['date'], index_col='date')
df.columns = [c.capitalize() for c in df.columns]

def sma(values, n):
    return pd.Series(values).rolling(n).mean()

def with_library():
    from backtesting import Backtest, Strategy
    from backtesting.lib import crossover
    class Cross(Strategy):
        def init(self):
            self.fast = self.I(sma, self.data.Close, fast)
            self.slow = self.I(sma, self.data.Close, slow)
        def next(self):
            if crossover(self.fast, self.slow):
                self.position.close(); self.buy()
            elif crossover(self.slow, self.fast):
                self.position.close(); self.sell()
    test = Backtest(df, Cross, cash=1_000_000, commission=.0002)
    started = time.perf_counter(); test.run()
    return 'backtesting.py', time.perf_counter() - started

class Order:
    __slots__ = ('size',)
    def __init__(self, size): self.size = size

class Trade:
    __slots__ = ('size', 'price', 'bar', 'exit_price', 'exit_bar')
    def __init__(self, size, price, bar):
        self.size, self.price, self.bar, self.exit_price, self.exit_bar = size, price, bar, None, None

class Broker:
    def __init__(self, opens, closes, cash, commission):
        self.opens, self.closes, self.cash, self.commission = opens, closes, cash, commission
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
                units = int(self.cash * .9999 / (price * (1 + self.commission)))
                size = units if order.size > 0 else -units
                if units > 0:
                    self.cash -= size * price + units * price * self.commission
                    self.trades.append(Trade(size, price, i))
            self.orders.remove(order)
        self.equity[i] = self.cash + sum(t.size * self.closes[i] for t in self.trades)

def by_hand():
    started = time.perf_counter()
    opens, closes = df['Open'].to_numpy(), df['Close'].to_numpy()
    quick, lazy = sma(closes, fast).to_numpy(), sma(closes, slow).to_numpy()
    broker = Broker(opens, closes, 1_000_000, .0002)
    for i in range(len(df)):
        broker.next(i)
        if i < slow: continue
        up = quick[i - 1] <= lazy[i - 1] and quick[i] > lazy[i]
        down = quick[i - 1] >= lazy[i - 1] and quick[i] < lazy[i]
        if up or down:
            broker.orders += [Order(0), Order(1 if up else -1)]
    return 'a bar loop in pandas and numpy (backtesting.py is not here)', time.perf_counter() - started

try:
    name, seconds = with_library()
except ImportError:
    name, seconds = by_hand()
print(json.dumps({'name': name, 'seconds': seconds}))
`;

interface PythonLoop {
  readonly name: string;
  readonly seconds: number;
}

/** The SMA cross over a file of bars in Python; undefined where none has pandas. Debian's is asked first. */
export function eventLoopInPython(
  data: string,
  { fast, slow }: { readonly fast: number; readonly slow: number },
): PythonLoop | undefined {
  for (const python of ['/usr/bin/python3', 'python3']) {
    const { status, stdout } = spawnSync(python, ['-c', PROGRAM, data, String(fast), String(slow)], {
      encoding: 'utf8',
    });
    if (status === 0) return JSON.parse(stdout) as PythonLoop;
  }
  return undefined;
}
