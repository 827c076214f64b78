import { describe, expect, it } from 'vitest';
import { redactor } from '../llm/environment.ts';
import { capabilitiesOf, providerOf } from './capabilities.ts';
import { chatProtocol } from './chat.ts';
import { costOf, PRICE_TABLE, priceOf } from './prices.ts';
import { canonicalJson, requestHash } from './wire-parts.ts';

describe('the canonical request', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":3,"d":2}]}');
    expect(requestHash(canonicalJson({ a: 1, b: 2 }))).toBe(requestHash(canonicalJson({ b: 2, a: 1 })));
    expect(requestHash(canonicalJson({ a: 1 }))).not.toBe(requestHash(canonicalJson({ a: 2 })));
  });
});

describe('capabilities', () => {
  it('identifies a provider by its address', () => {
    expect(providerOf('https://api.openai.com/v1')).toBe('openai');
    expect(providerOf('http://localhost:11434/v1')).toBe('ollama');
    expect(providerOf('https://openai.com.example.org/v1')).toBe('other');
  });

  it('repeats reasoning only for models that require it', () => {
    const body = (model: string, provider: 'deepseek' | 'openai') => {
      const capabilities = capabilitiesOf(provider, model);
      const protocol = chatProtocol({ model, capabilities, sampling: {}, stream: false });
      const answer = {
        choices: [{ message: { content: 'x', reasoning_content: 'because' }, finish_reason: 'stop' }],
      };
      return protocol.reply(answer).reply.echo;
    };
    expect(body('deepseek-reasoner', 'deepseek')).toEqual({ reasoning_content: 'because' });
    expect(body('gpt-4.1', 'openai')).toBeUndefined();
  });

  it('omits parameters that reasoning models reject', () => {
    const capabilities = capabilitiesOf('openai', 'gpt-5-mini');
    const sampling = { temperature: 0, max_tokens: 100 };
    const protocol = chatProtocol({ model: 'gpt-5-mini', capabilities, sampling, stream: false });
    expect(protocol.body({ messages: [], tools: [], final: false })).toEqual({
      model: 'gpt-5-mini',
      max_completion_tokens: 100,
      messages: [],
    });
  });
});

describe('prices', () => {
  const usage = { input: 1_000, cached: 400, output: 100, reasoning: 50 };
  it('are exact, with a separate price for cached input', () => {
    expect(costOf(usage, { input: 2, cached: 0.5, output: 8 })).toBe('0.0022');
    expect(costOf(usage, { input: 2, output: 8 })).toBe('0.0028');
  });
  it('are null, and never zero, if unknown', () => {
    expect(priceOf('openai', 'a-model-of-tomorrow', [PRICE_TABLE])).toBeNull();
    expect(priceOf('other', 'gpt-4.1', [PRICE_TABLE])).toBeNull();
    expect(costOf(usage, null)).toBeNull();
    expect(costOf(null, { input: 1, output: 1 })).toBeNull();
  });
  it('of a dated model are those of its undated name, and a table of the user has priority', () => {
    expect(priceOf('openai', 'gpt-4.1-2025-04-14', [PRICE_TABLE])).toMatchObject({ input: 2 });
    const own = { version: 'mine', models: [{ model: 'gpt-4.1', input: 9, output: 9 }] };
    expect(priceOf('openai', 'gpt-4.1', [own, PRICE_TABLE])).toEqual({ table: 'mine', input: 9, output: 9 });
  });
});

describe('redactor', () => {
  it('removes keys, also in JSON notation', () => {
    const redact = redactor(['sk-"quoted"-key', undefined, 'abc']);
    expect(redact('{"a":"sk-\\"quoted\\"-key"} abc')).toBe('{"a":"[redacted]"} abc');
  });
});
