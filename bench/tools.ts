import { createToolkit, provisionRuntime, Sandbox, simulateMarket } from 'sandtable';
import { atLastBar } from './compute.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const CALLS = 20_000;

/** Measures tools without Python, called through the toolkit: validated, limited, timed and recorded. */
export const toolBenchmarks: Readonly<Record<string, Benchmark>> = {
  async tools() {
    const sandbox = new Sandbox({ runtime: await provisionRuntime(), spares: 0 });
    const figures: Figure[] = [];
    for (const name of ['market_observe', 'account_status']) {
      const times: number[] = [];
      const toolkit = createToolkit({ sandbox, onTiming: () => undefined });
      await atLastBar(simulateMarket({ seed: 3, bars: 5_000 }), async (turn) => {
        turn.orders.buy(10, { type: 'limit', limitPrice: 1 });
        for (let call = 0; call < CALLS; call++) {
          const startedAt = performance.now();
          await toolkit.call(name, {}, turn);
          times.push((performance.now() - startedAt) * 1000);
        }
      });
      figures.push({
        name: `${name}, p50`,
        value: median(times.slice(CALLS / 10)),
        unit: 'µs',
        reach: '< 20',
      });
    }
    await sandbox.close();
    return figures;
  },
};
