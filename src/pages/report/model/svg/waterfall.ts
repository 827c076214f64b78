import { type Html, html } from '../../../shared/html.ts';
import { grouped, tone } from '../../../shared/number-formats.ts';
import type { Step } from '../attribution.ts';
import { figure, fixed } from './plot.ts';

const ROW = 26;
const NAME = 130;
const WIDTH = 560;
const AMOUNT = 110;

/** Draws the steps from zero to the profit. Each bar begins at the end of the previous bar. */
export function waterfall(steps: readonly Step[], profit: number): Html {
  const shown = [...steps.filter(({ amount }, place) => place === 0 || amount !== 0)];
  let sum = 0;
  const bars = shown.map(({ name, amount }) => {
    const from = sum;
    sum += amount;
    return { name, amount, from, to: sum, isTotal: false };
  });
  bars.push({ name: 'Profit', amount: profit, from: 0, to: profit, isTotal: true });
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (value: number): number => NAME + ((value - low) / (high - low || 1)) * (WIDTH - NAME - AMOUNT);
  const rows = bars.map(({ name, amount, from, to, isTotal }, place) => {
    const top = place * ROW + 4;
    const [left, width] = [Math.min(x(from), x(to)), Math.max(Math.abs(x(to) - x(from)), 1)];
    const link =
      place === 0 ? '' : html`<path class="grid" d="M${fixed(x(isTotal ? to : from))} ${top - 8}v8"/>`;
    return html`${link}<text x="0" y="${top + 13}" class="name">${name}</text><rect class="${isTotal ? 'total' : tone(amount)}" x="${fixed(left)}" y="${top}" width="${fixed(width)}" height="18" rx="2"/><text x="${WIDTH}" y="${top + 13}" text-anchor="end" class="${isTotal ? 'sum' : ''}">${grouped(amount)}</text>`;
  });
  const label = `From prices to the profit: ${bars.map(({ name, amount }) => `${name.toLowerCase()} ${grouped(amount)}`).join(', ')}.`;
  const zero = html`<path class="zero" d="M${fixed(x(0))} 0V${bars.length * ROW}"/>`;
  return figure('waterfall', label, { width: WIDTH, height: bars.length * ROW + 4 }, zero, rows);
}
