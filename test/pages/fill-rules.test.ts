import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/fill-rules.md'), 'utf8');
const fills = path.join(root, 'features/fills');
const scenarios = readdirSync(fills).flatMap((name) =>
  readFileSync(path.join(fills, name), 'utf8').split(/\n {2}(?=Scenario)/),
);

interface Example {
  readonly orders: readonly string[];
  readonly bar: readonly string[];
  readonly booked: string;
}

/**
 * Rows of the tables in docs/fill-rules.md whose first cell contains orders, in the notation of the features,
 * and whose second cell contains a bar: open, high, low, close.
 */
const examples: readonly Example[] = page.split('\n').flatMap((line) => {
  const [orders = '', bar = '', booked = ''] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  if (!/^`/.test(orders) || !/^\d+(, \d+){3}$/.test(bar)) return [];
  return [
    { orders: [...orders.matchAll(/`([^`]+)`/g)].map(([, order]) => order!), bar: bar.split(', '), booked },
  ];
});

/** Returns the prices of the fills in a scenario's table. */
function pricesOf(scenario: string): string[] {
  const [head, ...rows] = scenario
    .split('Then the fills are\n')[1]!
    .split('\n')
    .filter((line) => line.trim().startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const column = head!.indexOf('price');
  return rows.filter((row) => row.length === head!.length).map((row) => row[column]!);
}

describe('the examples of docs/fill-rules.md', () => {
  it('exist', () => {
    expect(examples.length).toBeGreaterThanOrEqual(12);
  });

  it.each(examples)('$orders with $bar have a scenario with these fills', ({ orders, bar, booked }) => {
    const [open, high, low, close] = bar;
    const candle = `a bar that opens at ${open}, rises to ${high}, falls to ${low} and closes at ${close}\n`;
    const meeting = `When ${orders.map((order) => `"${order}"`).join(' and ')} meet`;
    const found = scenarios.find(
      (scenario) =>
        scenario.includes(candle) &&
        scenario.includes(meeting) &&
        !scenario.includes('resolved for the best'),
    );
    expect(found, `${candle}${meeting}`).toBeDefined();
    expect(pricesOf(found!)).toEqual([...booked.matchAll(/ at (\d+)/g)].map(([, price]) => price));
    const isProved = found!.includes('is proved');
    expect(booked).toMatch(isProved ? /: proved/ : /: ambiguous/);
    expect(isProved || /ambiguous|leaves \d+ or \d+/.test(found!)).toBe(true);
  });
});
