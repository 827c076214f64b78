// An agent that behaves as its first argument says, over stdio; `behave` alone, for a server in a test.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const say = (value) => JSON.stringify(value);
const call = (id, tool, given = {}) => say({ type: 'call', id, tool, arguments: given });

/** What is said at the second decision, by behaviour; undefined: nothing at all; null: the agent breaks down. */
const ODD = {
  garbage: () => 'Thinking about it …',
  list: () => say(['done']),
  late: () => say({ type: 'done', id: 1, text: 'of the decision before' }),
  typeless: () => say({ text: 'done' }),
  nameless: () => say({ type: 'call', id: 1 }),
  deep: () => `${'['.repeat(500)}${']'.repeat(500)}`,
  long: () => say({ type: 'done', text: 'x'.repeat(1_100_000) }),
  crash: () => null,
  silent: () => undefined,
};

const tokens = (input, output) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
const PAID_ODDLY = {
  'paid back': { cost: -1 },
  'paid in words': { cost: '0.10' },
  'paid without end': { cost: 1e300 },
  'counted in words': { usage: { tokens: 'many' } },
  'counted below zero': { usage: { input_tokens: -5, output_tokens: 1 } },
};

/** An agent's next message, as text. */
export function behave(kind) {
  let decision = 0;
  let results = [];
  let before = 0;
  return (message) => {
    if (message.type === 'hello') before = message.decisions;
    if (message.type === 'decide') {
      decision = message.id;
      results = [];
      if (decision === 2 && Object.hasOwn(ODD, kind)) return ODD[kind]();
      if (kind === 'paid')
        return say({ type: 'call', id: 1, tool: 'account_status', usage: tokens(90, 10), cost: 0.1 });
      if (kind === 'unpaid') return say({ type: 'done', text: 'cost is for others to count' });
      if (Object.hasOwn(PAID_ODDLY, kind)) return say({ type: 'done', ...PAID_ODDLY[kind] });
      if (kind === 'list') return say({ type: 'done', text: `begun after ${before}` });
      if (kind === 'observe')
        return say({ type: 'done', text: Object.keys(message.observation.symbols).join() });
      if (kind === 'chatty') return call(0, 'account_status');
      if (kind === 'unknown') return call('first', 'sell_everything');
      return call('buy', 'trade_execute', { action: 'buy', quantity: 1 });
    }
    if (message.type !== 'result') return '{}';
    if (kind === 'paid') return say({ type: 'done', usage: tokens(50, 5), cost: 0.2 });
    if (kind === 'chatty') return call(0, 'account_status');
    results.push(message);
    if (kind === 'unknown') return say({ type: 'done', text: message.result.code ?? message.result.error });
    if (results.length === 1) return call(7, 'account_status');
    return say({
      type: 'done',
      id: decision,
      text: `${results.map(({ id }) => id).join(' ')}, cash ${message.result.cash}`,
    });
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const next = behave(process.argv[2]);
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.type === 'bye') break;
    const text = next(message);
    if (message.type === 'hello') continue;
    if (text === null) {
      console.error('Traceback: it broke down');
      process.exit(3);
    }
    if (text !== undefined) console.log(text);
  }
}
