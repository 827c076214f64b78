import type { ScriptInput } from '../../../src/agents/index.ts';

/** Script of the gallery's model. It buys in April and sells in other months. */
export const SCRIPT: ScriptInput = {
  steps: [
    {
      when: { round: 1, body_contains: '-04-' },
      times: 'any',
      reply: {
        tool_calls: [
          { name: 'trade_execute', arguments: { action: 'buy', quantity: 100, reason: 'April is strong.' } },
        ],
      },
    },
    {
      when: { round: 1 },
      times: 'any',
      reply: { tool_calls: [{ name: 'trade_execute', arguments: { action: 'sell', quantity: 50 } }] },
    },
    { when: { round: 2 }, times: 'any', reply: { text: 'Done.' } },
  ],
};

export const TRADER = `---
model: scripted
base_url: \${OPENAI_BASE_URL}
schedule: week_end
tools: [market_observe, trade_execute]
prices: { input: 1, output: 2 }
---
Trade {{symbols}} on {{date}}.
`;

export const STUDY = `name: spring
strategies: [trader.md, rule.ts]
samples: 2
windows:
  - { name: first, from: 2000-02-01, to: 2000-03-15 }
  - { name: second, from: 2000-03-18, to: 2000-04-30 }
data: prices.csv
random: 10
budget: { calls: 500 }
`;
