import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALARM_KINDS } from '../../src/results/analysis/index.ts';

const page = readFileSync('docs/alarms.md', 'utf8');

it('the page lists every kind of alarm in order', () => {
  const kinds = page.slice(page.indexOf('## Kinds'), page.indexOf('## Next to alarms'));
  expect([...kinds.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind)).toEqual([...ALARM_KINDS]);
});
