import { describe, expect, it } from 'vitest';
import { readWritten, readWrittenArguments, toolMeant } from './written-call.ts';

describe('readWrittenArguments', () => {
  it.each([
    ['{"bars": 3}', false],
    [{ bars: 3 }, true],
    ['"{\\"bars\\": 3}"', true],
    ['```json\n{"bars": 3}\n```', true],
    ['{"bars": 3,}', true],
    ["{'bars': 3}", true],
  ])('reads %j', (given, repaired) => {
    expect(readWrittenArguments(given)).toEqual({ ok: true, value: { bars: 3 }, repaired });
  });

  it('preserves commas and line breaks inside a string', () => {
    expect(readWrittenArguments('{"code": "a = [1,]\nb", "x": [1,],}')).toEqual({
      ok: true,
      value: { code: 'a = [1,]\nb', x: [1] },
      repaired: true,
    });
  });

  it('reads an empty text as no arguments', () => {
    expect(readWrittenArguments('')).toMatchObject({ ok: true, value: {} });
  });

  it.each(['{"bars": ', '[1, 2]', '{"code": "cut off'])('refuses the ambiguous %s', (given) => {
    expect(readWrittenArguments(given)).toMatchObject({ ok: false });
  });
});

describe('toolMeant', () => {
  const offered = ['market_history', 'trade_execute'];
  it('recognises a name in another spelling', () => {
    expect(toolMeant('functions.MarketHistory', offered)).toBe('market_history');
    expect(toolMeant('trade-execute', offered)).toBe('trade_execute');
  });
  it('refuses a name that is only similar', () => {
    expect(toolMeant('market', offered)).toBeUndefined();
  });
});

describe('deeply nested arguments', () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

  it.each([
    ['as JSON', `{"x": ${nested}}`],
    ['as JSON with a stray comma', `{"x": ${nested},}`],
    ['as an object', JSON.parse(`{"x": ${nested}}`)],
  ])('are refused with a message, not by a stack overflow: %s', (_, given) => {
    expect(readWrittenArguments(given)).toEqual({
      ok: false,
      problem: 'The arguments are nested deeper than 100 levels.',
    });
    const { fixed } = readWritten('compute', given, ['compute'], () => Promise.reject(new Error('called')));
    expect(fixed).toContain('malformed_arguments');
  });
});
