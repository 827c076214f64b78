import { createToolkit, provisionRuntime, Sandbox, simulateMarket, Vfs } from 'sandtable';
import { atLastBar } from './compute.ts';
import { type Benchmark, median, medianTime } from './figure.ts';

/** Example in the specification of evaluate_python. */
const EXAMPLE = {
  code: 'total = 0\nfor value in range(5):\n    total += value\nprint(total)\ntotal',
  globals: {},
  reads: [],
  writes: [],
};
const WRITING = {
  code: 'risk = cash * 0.01',
  globals: { cash: '25000' },
  writes: [{ path: 'plan.md', content: 'Risk {risk:.2f}\n', mode: 'overwrite' }],
};

async function evaluateTimes(sandbox: Sandbox, parameters: (call: number) => object): Promise<number> {
  const toolkit = createToolkit({ sandbox, tools: ['evaluate_python'] });
  const times: number[] = [];
  await atLastBar(simulateMarket({ seed: 3, bars: 250 }), async (turn) => {
    for (let call = 0; call < 700; call++) {
      const startedAt = performance.now();
      const answer = (await toolkit.call('evaluate_python', parameters(call), turn)) as { error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      if (call >= 200) times.push(performance.now() - startedAt);
    }
  });
  return median(times);
}

export const fileBenchmarks: Readonly<Record<string, Benchmark>> = {
  async evaluate() {
    const sandbox = new Sandbox({ runtime: await provisionRuntime(), spares: 0 });
    const example = await evaluateTimes(sandbox, () => EXAMPLE);
    const fresh = await evaluateTimes(sandbox, (call) => ({ ...EXAMPLE, code: `${EXAMPLE.code} + ${call}` }));
    const writing = await evaluateTimes(sandbox, () => WRITING);
    await sandbox.close();
    return [
      { name: "evaluate_python, its specification's example, p50", value: example, unit: 'ms', reach: '≤ 2' },
      { name: '… code never seen before', value: fresh, unit: 'ms' },
      { name: '… a global and a templated write', value: writing, unit: 'ms' },
    ];
  },

  async vfs() {
    const many = new Vfs();
    for (let file = 0; file < 1_000; file++) many.write(`notes/${file % 20}/${file}.md`, 'x'.repeat(1_000));
    const perWrite = await medianTime(15, () => {
      for (let write = 0; write < 1_000; write++) many.write(`notes/0/0.md`, String(write), 'overwrite');
    });
    const perGroup = await medianTime(15, () => {
      for (let group = 0; group < 50; group++)
        many.applyAll([{ kind: 'write', path: 'notes/0/0.md', mode: 'overwrite', content: 'x' }]);
    });
    const perList = await medianTime(15, () => many.list());
    return [
      { name: 'vfs: a write among 1,000 files', value: perWrite, unit: 'µs' },
      { name: '… the same as an all-or-nothing group', value: (perGroup / 50) * 1_000, unit: 'µs' },
      { name: '… a list of 1,000 files', value: perList * 1_000, unit: 'µs' },
    ];
  },
};
