import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunEvent, runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { loadStrategy } from '../strategies/load-strategy.ts';

const search = JSON.stringify(join(import.meta.dirname, 'test-foreign-search.ts'));

export interface SealedRun {
  readonly notes: readonly string[];
  readonly error: unknown;
}

export interface SealedRunOptions {
  /** Code that is inserted in the strategy's module before the strategy. */
  readonly top?: string;
  /** Time limit of a decision in seconds. */
  readonly decisionTimeout?: number;
}

/**
 * Runs a sealed strategy over three bars and two symbols, and returns the notes that it recorded. The
 * strategy can use the functions of `test-foreign-search.ts`. It can also use `seeds` to collect values,
 * `found` to search these values for objects of another JavaScript realm, and `note` to record a note.
 *
 * @param onBar body of the strategy's decision
 */
export async function sealedRun(
  onBar: string,
  { top = '', decisionTimeout }: SealedRunOptions = {},
): Promise<SealedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-sealed-'));
  try {
    const file = join(folder, 'strategy.ts');
    writeFileSync(
      file,
      `import { defineStrategy, z, Decimal, AppError } from 'sandtable';
import { collectFromBuiltIns, collectingProxy, foreignAtDepth, foreignIn, isForeign } from ${search};
const seeds: unknown[] = [];
const found = (...more: any[]) => JSON.stringify(foreignIn([...seeds, ...more]).slice(0, 10));
${top}
export default defineStrategy({
  name: 'search', summary: 'For tests.',
  async onBar(turn: any, context: any): Promise<any> {
    const { account, orders, documents, symbols } = turn;
    const note = (value: unknown) => turn.record({ type: 'note', bar: turn.bar, text: String(value) });
    ${onBar}
  },
});`,
    );
    const market = simulateMarket({ seed: 3, bars: 3, symbols: ['AAA', 'BBB'] });
    const strategy = await loadStrategy(file, {}, { seal: true });
    const decider = strategy.createDecider(undefined, 3, market.symbols, { environment: {} });
    const events: RunEvent[] = [];
    const settings = decisionTimeout === undefined ? {} : { decisionTimeout };
    const { error } = await runBacktest({
      market,
      decider,
      settings,
      onEvent: (event) => events.push(event),
    });
    return { notes: events.flatMap((event) => (event.type === 'note' ? [event.text] : [])), error };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
