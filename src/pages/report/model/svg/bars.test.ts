import { expect, it } from 'vitest';
import { histogram, yearBars } from './bars.ts';

it('draws returns that are all zero as one bin of full height', () => {
  const flat = new Float64Array(3);
  const drawn = histogram(flat, flat, 'day').text;
  expect(drawn).not.toContain('NaN');
  expect(drawn).toMatch(/class="even"[^/]* y="18" [^/]*height="150"/);
});

it('draws years without gain or loss', () => {
  const years = [2020, 2021].map((year) => ({ year, own: 0, held: 0 }));
  expect(yearBars(years).text).not.toContain('NaN');
});
