import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { ROOT } from './blocks.ts';
import { isBuilt, paste } from './paste.ts';

if (!isBuilt) skipBecause('The walk of docs/llm.md was not tested: it needs a build.');

const page = readFileSync(`${ROOT}docs/llm.md`, 'utf8');
const walk = page.slice(page.indexOf('\n## A run without a model'), page.indexOf('\n## Settings'));
/** Waits until the run has begun, which takes longer on a busy machine. */
const BEGUN =
  'until [ -f killed/*/inputs.json ] && [ -s killed/*/journal.jsonl ]; do sleep 0.1; done 2> wait.log';
// Uses one year instead of four, a faster model and an earlier kill, so that the test is faster.
const commands = [...walk.matchAll(/```\n([\s\S]*?)```/g)].map(([, block]) =>
  block!
    .replaceAll(/200[14]-12-31/g, '2000-12-31')
    .replace('"delay_ms": 50', '"delay_ms": 10')
    .replace('sleep 10', BEGUN),
);
const count = (type: string): string =>
  `echo "${type} in the masked run: $(grep -c '"type":"${type}"' masked/*/journal.jsonl)"`;
commands.push(count('order_rejected'), count('order_accepted'));

/** Two tests: all commands of the page, and a shorter list without the slow commands. */
const WALKS: readonly (readonly [string, readonly string[]])[] = [
  [
    'runs, masked and replayed',
    commands.filter((block) => !/--out killed|--out sampled|probe trader\.md/.test(block)),
  ],
  ['runs, resumed, masked, sampled, probed and replayed', commands],
];

it.skipIf(!isBuilt).each(sampled(WALKS, WALKS.length, 2))(
  'the commands of docs/llm.md from a mock server to %s work by copy and paste',
  async (_, pasted) => {
    expect(commands.length).toBeGreaterThan(7);
    const { stdout, stderr } = await paste(pasted, ['8099', '8100']);
    expect(stderr).not.toMatch(/error:/);
    if (pasted === commands) expect(stdout, stderr).toContain('the same bytes');
    expect(stdout.match(/The run repeats its record/g), stderr).toHaveLength(2);
    expect(stdout).toContain('order_rejected in the masked run: 0\n');
    expect(stdout).toMatch(/order_accepted in the masked run: [1-9]/);
  },
  600_000,
);
