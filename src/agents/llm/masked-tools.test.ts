import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../../market/index.ts';
import { createMask, exampleMasker } from '../../masking/index.ts';
import { shortToolDefinitions, TOOL_NAMES, toolDefinitions } from '../../toolkit/index.ts';
import { maskedTools } from './masked.ts';

/** Returns the masked manuals of all tools, for a market with these symbols and this start date. */
function manualsOf(symbols: string[], start: string): string {
  const mask = createMask(
    ['symbols', 'dates', 'prices'],
    simulateMarket({ seed: 1, bars: 40, symbols, start }),
    3,
  );
  const all = [...toolDefinitions(TOOL_NAMES), ...shortToolDefinitions(TOOL_NAMES)];
  return JSON.stringify(maskedTools(all, exampleMasker(mask)));
}

describe('tool manuals for masked data', () => {
  it('are the same for all markets, so that examples reveal no symbol or date', () => {
    const others = manualsOf(['BBB', 'CCC', 'DDD'], '2001-02-01');
    // The masked manuals do not depend on the market. Some symbols and dates here occur in examples of the
    // manuals. `DAY` and `RSI` are also words of the manuals.
    expect(manualsOf(['AAPL', 'MSFT', 'GTD'], '2023-12-11')).toBe(others);
    expect(manualsOf(['AAPL', 'DAY', 'RSI'], '2020-03-02')).toBe(others);
    expect(others).toContain('{\\"symbol\\": \\"S1\\"');
    expect(others).not.toMatch(/AAPL|MSFT/);
  });
});
