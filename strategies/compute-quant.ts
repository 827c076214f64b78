// Shows: what a workshop is for. One `compute` call a bar names the market's regime, times entries with RSI and a moving
// average cross, and sizes the position so that a move of two ATR costs 2 % of the equity.
import { defineStrategy, z } from 'sandtable';

const ANALYSIS = `
ema_fast, ema_slow = ta.ema(df.close, 20), ta.ema(df.close, 100)
atr = latest(ta.atr(df.high, df.low, df.close, 14))
rsi = latest(ta.rsi(df.close, 14))
returns = df.close.pct_change()
volatility = returns.tail(20).std()
trending = above(ema_fast, latest(ema_slow)) and volatility < 2 * returns.tail(250).std()
signal = 'hold'
if trending and (crossover(ema_fast, ema_slow) or rsi < 40):
    signal = 'buy'
elif not trending or rsi > 80:
    signal = 'close'
size = int(min(equity * RISK / (2 * atr), equity * 0.95 / df.close.iloc[-1]))
result = {'signal': signal, 'size': size, 'rsi': rsi, 'atr': atr, 'regime': 'trend' if trending else 'range'}
`;

const answerSchema = z.object({
  signal: z.enum(['buy', 'close', 'hold']),
  size: z.number().int(),
  regime: z.enum(['trend', 'range']),
});

export default defineStrategy({
  name: 'compute-quant',
  summary: 'Regime, RSI, cross and ATR sizing in one Python call a bar.',
  parameters: z.object({ risk: z.coerce.number().positive().max(0.2).default(0.02) }),
  tools: ['compute'],
  warmUpBars: () => 120,

  async onBar({ account, orders }, { parameters, compute }) {
    const answer = await compute(ANALYSIS.replace('RISK', String(parameters.risk)));
    if (answer.error !== undefined) throw new Error(answer.error);
    const { signal, size, regime } = answerSchema.parse(answer.result);
    const flat = account.units() === 0;
    if (signal === 'buy' && flat && size > 0) orders.buy(size, { reason: `${regime}: pullback or cross` });
    if (signal === 'close' && !flat)
      orders.close({ reason: regime === 'range' ? 'trend is over' : 'overbought' });
  },
});
