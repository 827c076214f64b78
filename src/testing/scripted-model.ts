import {
  readScript,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptInput,
  startScriptedModel as startServer,
} from '../agents/index.ts';
import { AppError } from '../kernel/index.ts';

/**
 * Local server that replaces a model in a test. It answers from a script and checks if the requests follow
 * the script.
 */
export interface ModelUnderTest extends ScriptedModel {
  /** Environment variables for the strategy: the address of the server and a fake key. */
  readonly environment: { readonly OPENAI_BASE_URL: string; readonly OPENAI_API_KEY: string };
  /**
   * Closes the server. Must be called at the end of the test.
   *
   * @throws AppError `script_not_followed` with every unexpected request and every unused step
   */
  finish(): Promise<void>;
}

/**
 * Starts a scripted model. A request that matches no step of the script is rejected with HTTP 422.
 *
 * @param script steps of the script. See docs/llm.md for their format
 * @throws AppError `bad_script` with every fault, `port_taken` if the port is in use
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
        message: `The requests to the scripted model differ from its script:\n${problems.map((line) => `  ${line}`).join('\n')}`,
        hint: 'Fix the strategy, or the steps of the script.',
        kind: 'run',
      });
    },
  };
}

/**
 * Runs a function with a scripted model. Throws if the script was not followed completely.
 *
 * @param work receives the model. If it throws, its error is thrown instead of the errors of `finish`
 * @returns the result of `work`
 * @throws AppError the errors of `startScriptedModel` and `finish`
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
