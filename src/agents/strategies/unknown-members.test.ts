import { expect, it } from 'vitest';
import { runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { ruleDecider } from './rules.ts';
import { defineStrategy } from './strategy.ts';

/** Members of an object by any name. JavaScript allows every name to be read, unlike TypeScript. */
type Members = Readonly<Record<string, unknown>>;

it.each<
  [
    string,
    (
      turn: Members & {
        readonly account: Members;
        readonly orders: Members;
        readonly window: Members;
        windowOf(symbol: unknown): Members;
      },
      context: Members,
    ) => unknown,
    string,
  ]
>([
  ['the context', (_, context) => context['bars'], 'context.bars does not exist. context has parameters,'],
  [
    'the context that the turn has',
    (_, { window }) => window,
    'context.window does not exist. Did you mean turn.window?',
  ],
  ['the turn', ({ accout }) => accout, 'turn.accout does not exist. Did you mean turn.account?'],
  [
    'the account',
    ({ account }) => account['cashh'],
    'turn.account.cashh does not exist. Did you mean turn.account.cash?',
  ],
  ['the order desk', ({ orders }) => orders['open'], 'turn.orders.open does not exist.'],
  [
    'the window',
    ({ window }) => window['closes'],
    'window.closes does not exist. Did you mean window.close?',
  ],
  [
    'the window of a symbol',
    (turn) => turn.windowOf((turn['symbols'] as string[])[0])['lenght'],
    'window.lenght does not exist. Did you mean window.length?',
  ],
])('reading an unknown member of %s fails the run', async (_, onBar, message) => {
  const strategy = defineStrategy({
    name: 'misspelt',
    summary: 'Reads a member that does not exist.',
    onBar: (turn, context) => void onBar(turn as never, context as never),
  });
  const market = simulateMarket({ seed: 1, bars: 3 });
  const result = await runBacktest({ market, decider: ruleDecider(strategy, {}, undefined) });
  expect(result.outcome).toBe('failed');
  expect(String(result.error)).toContain(message);
});
