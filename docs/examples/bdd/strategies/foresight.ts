// Cheats with look-ahead, to show how suspiciously good results appear. It reads the data file itself and is
// in the market only for bars that rise. A sandboxed strategy has no access to the file.
import { readFileSync } from 'node:fs';
import { defineStrategy } from 'sandtable';

const rows = readFileSync('prices.csv', 'utf8').trim().split('\n').slice(1);
const bars = rows.map((row) => row.split(',').map(Number));

export default defineStrategy({
  name: 'foresight',
  summary: 'Knows tomorrow.',
  onBar({ bar, account, orders }) {
    const [, open = 0, , , close = 0] = bars[bar + 1] ?? [];
    const rises = close > open;
    if (rises && account.units() === 0) orders.submit({ action: 'buy', equityFraction: 0.9 });
    if (!rises && account.units() !== 0) orders.close();
  },
});
