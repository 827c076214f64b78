import { type Decider, placeIn, strategyUncaught } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type BundledFile, bundleStrategy } from './bundle.ts';
import { unpack, unpackFields } from './codec.ts';
import { errorOf, type Failure, outOfTurn, SealedDecider } from './decider.ts';
import type { ChildMessage } from './messages.ts';
import { SealedProcess } from './process.ts';

/** Declaration of a sealed strategy, which runs in an isolated process, and functions to use it. */
export interface SealedStrategy {
  /** Members that the strategy declares, except functions. */
  readonly declared: Pick<Strategy, 'name' | 'summary' | 'tools' | 'budgets' | 'repl' | 'settings'>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly descriptorsClosed: boolean;
  /** All code files of the strategy, without files of the engine. */
  readonly files: readonly BundledFile[];
  /** Number of bars that must close before the first decision, if declared. */
  readonly warmUp?: number;
  createDecider(toolkit: Toolkit | undefined, lookback: number | null): Decider;
  close(): void;
}

/**
 * Loads a strategy in a separate process.
 *
 * @throws AppError `strategy_broken`, `not_a_strategy`, `bad_parameters`, `strategy_ended`
 */
export async function loadSealed(
  file: string,
  given: Readonly<Record<string, string>>,
): Promise<SealedStrategy> {
  const { code, files, stackInSources } = await bundleStrategy(file);
  const inSources = (failure: Failure): Failure => ({
    ...failure,
    stack: stackInSources(failure.stack ?? ''),
  });
  const child = await SealedProcess.start(file, code);
  const limit = setTimeout(() => child.kill(), RULE_TIMEOUT_SECONDS * 1000);
  try {
    const loaded = await child.exchange<Extract<ChildMessage, { type: 'loaded' }>>(
      { type: 'load', given },
      (message, done) => {
        if (message.type === 'loaded') done(message);
        else if (message.type === 'failed') throw loadError(file, inSources(message));
        else outOfTurn(message);
      },
    );
    const { name, summary, tools, budgets, repl, warmUpBars } = loaded;
    if (loaded.hasCosts) {
      throw new AppError({
        code: 'strategy_broken',
        message: `${file} has a custom cost model, which a sealed strategy cannot provide during a fill.`,
        hint: 'Use the models of the settings, or run without --seal.',
      });
    }
    if (warmUpBars === null) {
      throw new AppError({
        code: 'strategy_broken',
        message: `warmUpBars of the strategy ${name} returned no number of bars.`,
        hint: 'Return a number of bars, 0 or more.',
        kind: 'run',
      });
    }
    return {
      declared: {
        name,
        summary,
        tools,
        ...(budgets === undefined ? {} : { budgets }),
        ...(repl === undefined ? {} : { repl: repl as NonNullable<Strategy['repl']> }),
        settings: unpack(loaded.settings) as NonNullable<Strategy['settings']>,
      },
      parameters: unpackFields(loaded.parameters),
      descriptorsClosed: child.descriptorsClosed,
      files,
      ...(warmUpBars === undefined ? {} : { warmUp: warmUpBars }),
      createDecider: (toolkit, lookback) =>
        new SealedDecider(child, { file, name, inSources, warmUp: warmUpBars ?? 0 }, toolkit, lookback),
      close: () => child.kill(),
    };
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

function loadError(file: string, failure: Failure): AppError {
  const { code, message, remedy, how } = failure;
  if (code === 'not_a_strategy')
    return new AppError({ code, message: message.replace('The file', file), hint: remedy });
  if (how === 'uncaught') return strategyUncaught(file, errorOf(failure), undefined);
  if (code !== '')
    return new AppError({
      code,
      message: message.replace(/^The file\b/, file),
      hint: remedy,
      kind: how === 'input' ? 'input' : 'run',
    });
  return new AppError({
    code: 'strategy_broken',
    message: `${file} cannot be loaded: ${message}${placeIn(errorOf(failure), file)}`,
    hint: 'Fix the file. docs/strategies.md lists what a sealed strategy can use.',
  });
}
