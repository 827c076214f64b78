import { describe, expect, it } from 'vitest';
import type { ResolvedModel, RunServices } from '../run-services.ts';
import { createExchanger } from './create-exchanger.ts';
import { readLlmStrategy } from './load-llm.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
const HEADERS = ['x-api-key: ${TEST_KEY}', 'x-team: "${TEST_TEAM} of ${TEST_KEY}"', 'x-plain: ${NONE:-yes}'];
const TEXT = `---
model: gpt-4.1-mini
base_url: https://models.example.com/v1
headers:
${HEADERS.map((line) => `  ${line}`).join('\n')}
---
Trade.
`;
const resolved: ResolvedModel = {
  model: 'gpt-4.1-mini',
  provider: 'other',
  baseUrl: 'https://models.example.com/v1',
  price: null,
};

/** Creates the exchanger of a resumed run, whose environment may differ from that of its first process. */
function resume(environment: Readonly<Record<string, string>>, more: Partial<RunServices> = {}) {
  const { prompts } = readLlmStrategy(TEXT, {}, { file: 'p.md', environment, resolved });
  return createExchanger(prompts[0]!, { environment, ...more }, () => undefined);
}

describe('a resumed run whose headers refer to environment variables', () => {
  it('reports variables without a value, each once', () => {
    const fault = {
      code: 'api_key_missing',
      message:
        'p.md uses TEST_KEY, TEST_TEAM in its headers, and the environment has no value for TEST_KEY, TEST_TEAM. A request needs all of them.',
      hint: 'Set TEST_KEY, TEST_TEAM in the environment or in a file .env, or resume with --replay-only, which sends no request.',
    };
    expect(() => resume({})).toThrow(expect.objectContaining(fault));
    expect(() => resume({ TEST_KEY: 'key' })).toThrow(/uses TEST_TEAM in its headers/);
  });

  it('needs no variables if they are set, or if no request is sent', () => {
    expect(resume({ TEST_KEY: 'key', TEST_TEAM: 'team' })).toBeDefined();
    expect(resume({}, { replayOnly: true })).toBeDefined();
  });
});
