// Buys one time with 95% of its equity, and does not sell.
import { defineStrategy } from 'sandtable';

export default defineStrategy({
  name: 'buy-and-hold',
  summary: 'Buys at the first bar and holds.',
  onBar({ bar, orders }) {
    if (bar === 0) orders.submit({ action: 'buy', equityFraction: 0.95 });
  },
});
