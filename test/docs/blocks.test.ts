import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readParameters, ruleDecider, type Strategy } from '../../src/agents/index.ts';
import { runBacktest } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { provisionRuntime, Sandbox } from '../../src/sandbox/index.ts';
import { createToolkit, needPython } from '../../src/toolkit/index.ts';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { allBlocks, blocksOf, type CodeBlock, WORDS } from './blocks.ts';
import { compileFaults } from './compile.ts';

const blocks = allBlocks();

describe('TypeScript code in README.md and docs/', () => {
  it('has only known markers', () => {
    expect(blocks.length).toBeGreaterThan(8);
    expect(blocks.flatMap(({ words }) => words).filter((word) => !WORDS.includes(word))).toEqual([]);
  });

  // One program compiles all blocks, including a page with errors that the test must find.
  const bad =
    "# A\n\n```ts\nimport { nothing } from 'sandtable';\n\nconst one: string = 1;\n```\n\n```ts fragment\norders.buy(1);\norders.bye(1);\n```\n";
  const faults = compileFaults([...blocks, ...blocksOf('bad.md', bad)]);
  const isBad = (fault: string): boolean => fault.startsWith('bad.md:');

  it('compiles', () => {
    expect(faults.filter((fault) => !isBad(fault))).toEqual([]);
  });

  it('would be reported if it did not compile', () => {
    expect(faults.filter(isBad)).toEqual([
      expect.stringMatching(/^bad\.md:4 .*has no exported member 'nothing'/),
      expect.stringMatching(/^bad\.md:6 Type 'number' is not assignable/),
      expect.stringMatching(/^bad\.md:11 Property 'bye' does not exist/),
    ]);
  });
});

describe('a runnable code block', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-docs-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const whole = blocks.filter(({ words }) => words.length === 0);
  it.each(sampled(whole, 3, 2).map((block) => [`${block.page}:${block.line}`, block] as const))(
    '%s runs and prints the documented output',
    async (_, block) => {
      const printed: string[] = [];
      const log = vi
        .spyOn(console, 'log')
        .mockImplementation((...given) => void printed.push(format(...given)));
      const file = join(folder, `block-${whole.indexOf(block)}.ts`);
      writeFileSync(file, block.code);
      try {
        const { default: strategy } = (await import(file)) as { readonly default?: Strategy };
        if (strategy !== undefined) await runs(strategy);
      } finally {
        log.mockRestore();
      }
      for (const text of promised(block)) expect(printed).toContain(text);
    },
  );
});

/** Returns the output that a block promises: the comments after `console.log(…)`. */
function promised({ code }: CodeBlock): string[] {
  return [...code.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)].map(([, text = '']) => text);
}

/** Runs a strategy for a few decisions. A strategy with Python tools runs only if Python is available. */
async function runs(strategy: Strategy): Promise<void> {
  const { tools = [], warmUpBars } = strategy;
  const runtime = needPython(tools) ? await provisionRuntime().catch(() => undefined) : undefined;
  if (needPython(tools) && runtime === undefined) {
    skipBecause(`There is no Python to run the strategy ${strategy.name} of the documentation with.`);
    return;
  }
  const sandbox = runtime && new Sandbox({ runtime, spares: 0 });
  const parameters = readParameters(strategy, {});
  try {
    const toolkit = tools.length === 0 ? undefined : createToolkit({ tools, ...(sandbox && { sandbox }) });
    const result = await runBacktest({
      market: simulateMarket({ seed: 1, bars: (warmUpBars?.(parameters) ?? 0) + 20 }),
      decider: ruleDecider(strategy, parameters, toolkit),
    });
    expect(result.error).toBeUndefined();
    expect(result.outcome).toBe('completed');
  } finally {
    await sandbox?.close();
  }
}
