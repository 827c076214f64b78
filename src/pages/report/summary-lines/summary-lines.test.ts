import { expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { reportPage } from '../report-page.ts';

function answersOf(equity: readonly number[]): string {
  const page = reportPage({ runId: 'r', record: runRecord({ cash: '1000', equity }), manifest: undefined });
  const start = page.indexOf('class="questions"');
  const list = page.slice(start, page.indexOf('</dl>', start));
  return list.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

it('states why metrics of an insolvent run are unknown, and nothing twice', () => {
  const said = answersOf([1000, 500, -200, -200]);
  expect(said).toContain('Risk-adjusted return No: it went broke equity was not positive on');
  expect(said).toContain('Rolling figures Not known equity was not positive on');
  expect(said).toContain('Distribution of returns Not known equity was not positive on');
  expect(said).not.toContain('– to –');
});

it('shows no best month for a run without profit', () => {
  const said = answersOf(Array.from({ length: 90 }, () => 1000));
  expect(said).toContain('Profit by side, symbol and month 0.00');
  expect(said).not.toContain('rose most');
  expect(said).toContain('Risk-adjusted return No evidence session returns do not vary');
});
