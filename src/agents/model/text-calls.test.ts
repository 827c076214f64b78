import { describe, expect, it } from 'vitest';
import { plainName, textCalls } from './text-calls.ts';

const OFFERED = ['market_history', 'trade_execute', 'account_status'];
const HISTORY = { id: '', name: 'market_history', arguments: { bars: 5 } };
const BUY = { id: '', name: 'trade_execute', arguments: { action: 'buy', quantity: 1 } };

describe('textCalls', () => {
  it.each([
    ['Hermes', '<tool_call>\n{"name": "market_history", "arguments": {"bars": 5}}\n</tool_call>'],
    ['Hermes, not closed', '<tool_call>{"name": "market_history", "arguments": {"bars": 5}}'],
    [
      'Qwen3-Coder',
      '<tool_call>\n<function=market_history>\n<parameter=bars>\n5\n</parameter>\n</function>\n</tool_call>',
    ],
    ['GLM', '<tool_call>market_history\n<arg_key>bars</arg_key>\n<arg_value>5</arg_value>\n</tool_call>'],
    ['Mistral', '[TOOL_CALLS] [{"name": "market_history", "arguments": {"bars": 5}}]'],
    ['newer Mistral', '[TOOL_CALLS]market_history[ARGS]{"bars": 5}'],
    [
      'DSML',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="market_history">\n<｜DSML｜parameter name="bars" string="false">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    ['invoke', '<invoke name="market_history"><parameter name="bars">5</parameter></invoke>'],
    [
      'Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.market_history:0<|tool_call_argument_begin|>{"bars": 5}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'DeepSeek V3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>market_history\n```json\n{"bars": 5}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'gpt-oss',
      '<|channel|>commentary to=functions.market_history <|constrain|>json<|message|>{"bars": 5}<|call|>',
    ],
    ['Llama', '<|python_tag|>{"name": "market_history", "parameters": {"bars": 5}}<|eom_id|>'],
    ['fenced JSON', '```json\n{"name": "market_history", "arguments": {"bars": 5}}\n```'],
    ['fenced Python', '```tool_code\nmarket_history(bars=5)\n```'],
    ['bare JSON', '{"name": "market_history", "arguments": {"bars": 5}}'],
    [
      'its shape at OpenAI',
      '[{"type": "function", "function": {"name": "market_history", "arguments": {"bars": 5}}}]',
    ],
    ['Python calls', '[market_history(bars=5)]'],
  ])('reads the notation of %s', (_, text) => {
    const found = textCalls(text, OFFERED);
    expect(found?.calls).toEqual([HISTORY]);
    expect(found?.rest).not.toContain('market_history');
  });

  it('reads several calls and returns the text around them', () => {
    const call = (json: string) => `<tool_call>${json}</tool_call>`;
    const text = `Let me look.\n${call('{"name": "market_history", "arguments": {"bars": 5}}')}\n${call('{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}')}`;
    expect(textCalls(text, OFFERED)).toEqual({ calls: [HISTORY, BUY], rest: 'Let me look.' });
    expect(
      textCalls("[market_history(bars=5), trade_execute(action='buy', quantity=1)]", OFFERED)?.calls,
    ).toEqual([HISTORY, BUY]);
  });

  it('reads a parameter as text if the template declares it as text', () => {
    const text =
      '<｜DSML｜invoke name="trade_execute"><｜DSML｜parameter name="quantity" string="true">1</｜DSML｜parameter></｜DSML｜invoke>';
    expect(textCalls(text, OFFERED)?.calls[0]?.arguments).toEqual({ quantity: '1' });
  });

  it.each([
    'I hold.',
    'I looked at market_history(bars=5) and hold.',
    '{"decision": "hold", "confidence": 0.7}',
    '{"name": "Alphabet", "arguments": {"bars": 5}}',
    '```python\nprint(1)\n```',
    '[1, 2, 3]',
    'My plan (for now): wait.',
  ])('reads %s as an answer without calls', (text) => {
    expect(textCalls(text, OFFERED)).toBeUndefined();
  });

  it('parses long text with many opening markers quickly', () => {
    for (const mark of [
      '<tool_call>',
      '[TOOL_CALLS]',
      '<|python_tag|>{',
      '```json\n',
      '<function=a>',
      '[[',
    ]) {
      expect(textCalls(mark.repeat(5_000), OFFERED)).toBeUndefined();
    }
  });
});

describe('plainName', () => {
  it.each([
    ['compute<|channel|>commentary', 'compute'],
    ['functions.compute', 'compute'],
    ['functions.compute:0', 'compute'],
    ['compute', 'compute'],
  ])('reads %s as %s', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });
});
