import type { ClientDrivenDecider } from '../../agent/index.ts';
import type { BarContext, Json } from '../../engine/index.ts';
import { argumentsFor, failure, type Toolkit } from '../../toolkit/index.ts';
import { movedAnswer } from './moved-answer.ts';
import { finishTool, nextBarTool } from './session-tools.ts';

export interface SessionParts {
  readonly decider: ClientDrivenDecider;
  readonly toolkit: Toolkit;
  /** Number of bars on the market's clock. */
  readonly bars: number;
  /** Ends the run after the current bar and returns the answer of `finish`. */
  end(): Promise<Json>;
}

/** Run that a client drives with calls of the tools, `next_bar` and `finish`. */
export class TradingSession {
  readonly #parts: SessionParts;
  #queue: Promise<unknown> = Promise.resolve();
  #ended: Promise<Json> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /**
   * Answers a call. Calls are executed one after another, so that the market does not advance during a call.
   */
  call(name: string, given: unknown): Promise<Json> {
    const answer = this.#queue.then(() => this.#answer(name, given));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /** Ends the run after the running calls. Only the first end has an effect. */
  stop(): Promise<Json> {
    const ended = this.#queue.then(() => this.#end());
    this.#queue = ended.catch(() => undefined);
    return ended;
  }

  #end(): Promise<Json> {
    this.#ended ??= this.#parts.end();
    return this.#ended;
  }

  async #answer(name: string, given: unknown): Promise<Json> {
    const turn = this.#ended === undefined ? await this.#parts.decider.turn : undefined;
    if (turn === undefined)
      return failure('The run is finished.', 'Start the server again for another run.', { code: 'finished' });
    if (name === nextBarTool.name) return this.#nextBar(given, turn);
    if (name !== finishTool.name) return this.#parts.toolkit.call(name, given, turn);
    const read = argumentsFor(finishTool, given);
    return read.ok ? this.#end() : read.failure;
  }

  async #nextBar(given: unknown, turn: BarContext): Promise<Json> {
    const read = argumentsFor(nextBarTool, given);
    if (!read.ok) return read.failure;
    const { decider, bars } = this.#parts;
    const wanted = read.parameters.bars;
    const moved = Math.min(wanted, bars - 1 - turn.bar);
    const note = moved < wanted ? { note: 'The data end here: call finish.' } : {};
    decider.since.decided(turn);
    const arrived = moved === 0 ? turn : await decider.next(moved);
    // Only insolvency ends a run between two decisions. The answer contains the result, and `finish` has
    // nothing left to do.
    if (arrived === undefined) return this.#end();
    return { ...movedAnswer(arrived, moved, decider.since), ...note };
  }
}
