import {
  readScript,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptInput,
  startScriptedModel as startServer,
} from '../agent/index.ts';
import { AppError } from '../kernel/index.ts';

/** A server on this machine that speaks a model's protocol, plays a script, and knows whether it was followed. */
export interface ModelUnderTest extends ScriptedModel {
  /** What a strategy finds its model by, in place of the environment's own: its address and a key that is none. */
  readonly environment: { readonly OPENAI_BASE_URL: string; readonly OPENAI_API_KEY: string };
  /**
   * Closes the server. Call it where the test has done its part.
   *
   * @throws AppError `script_not_followed` with every request that the script did not expect and every step left over
   */
  finish(): Promise<void>;
}

/**
 * Starts a scripted model. A request that no step of the script fits is refused with HTTP 422.
 *
 * @param script its steps, as docs/llm.md has them
 * @throws AppError `bad_script` with every fault, `port_taken`
 */
export async function startScriptedModel(
  script: ScriptInput,
  options: ScriptedModelOptions = {},
): Promise<ModelUnderTest> {
  const read = readScript(script);
  const model = await startServer(read, options);
  return {
    ...model,
    environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: read.api_key ?? 'scripted' },
    async finish() {
      await model.close();
      const problems = [...model.unexpected, ...model.leftover()];
      if (problems.length === 0) return;
      throw new AppError({
        code: 'script_not_followed',
        message: `The scripted model was not asked as its script says:\n${problems.map((line) => `  ${line}`).join('\n')}`,
        hint: 'Correct the strategy, or the steps of the script.',
        kind: 'run',
      });
    },
  };
}

/**
 * Does something with a scripted model, and fails unless the script was followed to its end.
 *
 * @param work gets the model; what it throws comes first
 * @returns what `work` gives
 * @throws AppError as `startScriptedModel` and `finish` do
 */
export async function withScriptedModel<Result>(
  script: ScriptInput,
  work: (model: ModelUnderTest) => Result | Promise<Result>,
  options: ScriptedModelOptions = {},
): Promise<Result> {
  const model = await startScriptedModel(script, options);
  let result: Result;
  try {
    result = await work(model);
  } catch (error) {
    await model.close();
    throw error;
  }
  await model.finish();
  return result;
}
