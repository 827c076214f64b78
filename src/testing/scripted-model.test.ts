import { describe, expect, it } from 'vitest';
import { type ModelUnderTest, startScriptedModel, withScriptedModel } from './index.ts';

const ask = async ({ url }: ModelUnderTest, content: string): Promise<number> => {
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  return answer.status;
};
const once = { steps: [{ name: 'greeting', when: { contains: 'hello' }, reply: { text: 'Hold.' } }] };

describe('a scripted model in a test', () => {
  it('passes if the script was followed', async () => {
    expect(await withScriptedModel(once, (model) => ask(model, 'hello'))).toBe(200);
  });

  it('fails if a step was not used', async () => {
    await expect(withScriptedModel(once, () => undefined)).rejects.toMatchObject({
      code: 'script_not_followed',
      message: expect.stringContaining('step greeting was used 0 of 1 times'),
    });
  });

  it('fails on an unexpected request, and lists all problems', async () => {
    const model = await startScriptedModel(once);
    expect(await ask(model, 'goodbye')).toBe(422);
    await expect(model.finish()).rejects.toThrow(
      /request 1: no step is left.*goodbye.*\n.*greeting was used 0 of 1/,
    );
    await expect(ask(model, 'hello')).rejects.toThrow();
  });

  it('reports an error of the test first, and is closed afterwards', async () => {
    let seen: ModelUnderTest | undefined;
    const work = (model: ModelUnderTest): never => {
      seen = model;
      throw new Error('the test itself');
    };
    await expect(withScriptedModel(once, work)).rejects.toThrow('the test itself');
    await expect(ask(seen!, 'hello')).rejects.toThrow();
  });

  it('provides the environment variables for a strategy, with the key of the script', async () => {
    await withScriptedModel(
      { api_key: 'k', steps: [{ times: 'any', reply: {} }] },
      ({ url, environment }) => {
        expect(environment).toEqual({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'k' });
      },
    );
  });

  it('refuses an invalid script', async () => {
    await expect(startScriptedModel({ steps: [] })).rejects.toMatchObject({ code: 'bad_script' });
  });
});
