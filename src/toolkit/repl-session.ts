import { createHash } from 'node:crypto';
import type { BarContext, Json } from '../engine/index.ts';
import { knownRows, type SandboxReply, type Sight } from '../sandbox/index.ts';
import { type AccountSnapshot, accountSnapshot, type Published, publishedRequest } from './order-view.ts';
import { type Shared, shownWindows, type ToolContext } from './tool.ts';

/** Lifetime of the variables of `exec_code`: until the next bar, or until the end of the run. */
export type ReplLifetime = 'decision' | 'run';

export const REPL_LIFETIMES = ['decision', 'run'] as const satisfies readonly ReplLifetime[];

/** Call of a Python session: the operation to run in Python, and the code that the agent wrote. */
interface SessionCall {
  readonly operation: 'exec_code' | 'eval_expr' | 'inspect' | 'list_globals';
  readonly source: string;
}

/** Reply to a session call. Contains a note if the session was lost before the call. */
interface SessionReply {
  readonly reply: SandboxReply;
  readonly note?: string;
}

/** Session call that is stored, so that it can be repeated after a reset of Python. */
interface Remembered extends SessionCall {
  readonly bar: number;
  readonly time: number;
  readonly account: AccountSnapshot;
  readonly sight: ReadonlyMap<string, Sight>;
  readonly published: Published;
  /** Hash of the recorded reply, to detect a different result on repetition. `undefined` if unknown. */
  readonly digest?: string;
}

/**
 * Maximum number of attempts to rebuild a session. Each further attempt omits the call that ended the
 * process.
 */
const REBUILDS = 3;
const LIMITS = { stdoutCharacters: 4_000, codeCharacters: 20_000 };

let sessions = 0;

/**
 * Python session: the variables that `exec_code`, `eval_expr`, `inspect` and `list_globals` share.
 *
 * The session exists in the process of the sandbox from its first call on. A reset of Python deletes it. The
 * next reply then contains a note. A session with the lifetime `run` is rebuilt by repeating its earlier
 * calls.
 */
export class ReplSession {
  readonly lifetime: ReplLifetime;
  #id: string | undefined;
  #bar = -1;
  #names: readonly string[] = [];
  #log: Remembered[] = [];
  /**
   * True if the code of any call contains the word `documents`. Documents are large, so they are sent only to
   * such sessions.
   */
  #namesDocuments = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(lifetime: ReplLifetime) {
    this.lifetime = lifetime;
  }

  /** Makes one call. Concurrent calls run one after the other. */
  call(call: SessionCall, context: ToolContext): Promise<SessionReply> {
    const answer = this.#queue.then(() => this.#call(call, context));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  /**
   * Stores a call of a resumed run without making it. The session is rebuilt from these calls when it is next
   * used.
   */
  recall(call: SessionCall, context: ToolContext): void {
    this.#begin(context.turn);
    this.#id ??= newId();
    this.#remember(call, context);
  }

  async #call(call: SessionCall, context: ToolContext): Promise<SessionReply> {
    this.#begin(context.turn);
    const begin = this.#id === undefined;
    this.#id ??= newId();
    let reply = await this.#send(this.#now(call, context), context, begin);
    let note: string | undefined;
    if (isLost(reply)) {
      note = this.lifetime === 'run' ? await this.#rebuild(context) : this.#loseNames();
      reply = await this.#send(this.#now(call, context), context, this.lifetime === 'decision');
    }
    if (reply.ok || reply.replaced !== true) {
      this.#names = reply.names ?? this.#names;
      if (this.lifetime === 'run') this.#remember(call, context, digestOf(reply));
    }
    const notes = [note, reply.note].filter((each) => each !== undefined);
    return { reply, ...(notes.length === 0 ? {} : { note: notes.join(' ') }) };
  }

  #begin(turn: BarContext): void {
    if (this.lifetime === 'decision' && turn.bar !== this.#bar) {
      this.#id = undefined;
      this.#names = [];
    }
    this.#bar = turn.bar;
  }

  #now(call: SessionCall, { turn }: ToolContext): Remembered {
    this.#namesDocuments ||= call.source.includes('documents');
    const windows = shownWindows(turn);
    return {
      ...call,
      bar: turn.bar,
      time: turn.time,
      account: accountSnapshot(turn.account),
      published: publishedRequest(turn, (name) => name !== 'documents' || this.#namesDocuments),
      sight: new Map(
        windows.map((window) => {
          const { symbol, revealed, length, features } = window;
          return [
            symbol,
            { revealed, length, ...(features.length === 0 ? {} : { known: knownRows(window) }) },
          ];
        }),
      ),
    };
  }

  #remember(call: SessionCall, context: ToolContext, digest?: string): void {
    if (call.operation === 'list_globals') return;
    this.#log.push({ ...this.#now(call, context), ...(digest === undefined ? {} : { digest }) });
  }

  #send(
    call: Remembered,
    { turn, sandbox, resultBytes }: ToolContext,
    begin: boolean,
  ): Promise<SandboxReply> {
    const { operation, source, bar, time, account, sight, published } = call;
    return sandbox.call({
      operation,
      bar,
      time,
      sight,
      windows: shownWindows(turn),
      published: published.tables,
      session: { id: this.#id!, begin, lasting: this.lifetime === 'run' },
      request: {
        [operation === 'exec_code' ? 'code' : 'expr']: source,
        symbol: turn.symbols[0],
        account,
        ...published.request,
        limits: { timeoutMs: sandbox.timeoutMs, resultBytes, ...LIMITS },
      },
    });
  }

  #loseNames(): string {
    const lost = this.#names;
    this.#id = newId();
    this.#names = [];
    return lost.length === 0
      ? 'Python was reset and this session restarted. No definitions were lost.'
      : `Python was reset and this session restarted. Lost: ${lost.join(', ')}. Define what you need again.`;
  }

  /**
   * Rebuilds the session in a new process by repeating all earlier calls. Returns a note about the result.
   */
  async #rebuild(context: ToolContext): Promise<string> {
    let dropped = 0;
    for (let attempt = 0; attempt < REBUILDS; attempt++) {
      this.#id = newId();
      const fatal = await this.#runAgain(context);
      if (typeof fatal !== 'number')
        return fatal + (dropped === 0 ? '' : ` ${dropped} of them reset Python and were omitted.`);
      this.#log.splice(fatal, 1);
      dropped += 1;
    }
    this.#id = newId();
    this.#log = [];
    await this.#send(this.#now({ operation: 'list_globals', source: '' }, context), context, true);
    return 'Python was reset and this session could not be rebuilt. It is empty. Define what you need again.';
  }

  /**
   * Repeats the earlier calls once. Returns the note about the result, or the index of a call that ended the
   * process.
   */
  async #runAgain(context: ToolContext): Promise<string | number> {
    let changed = 0;
    if (this.#log.length === 0)
      await this.#send(this.#now({ operation: 'list_globals', source: '' }, context), context, true);
    for (const [place, call] of this.#log.entries()) {
      const reply = await this.#send(call, context, place === 0);
      if (!reply.ok && reply.replaced === true) return place;
      if (call.digest !== undefined && call.digest !== digestOf(reply)) changed += 1;
    }
    const count = this.#log.length;
    const calls =
      count === 1 ? 'its earlier call was run again' : `its ${count} earlier calls were run again`;
    return (
      `Python was reset, and this session was rebuilt: ${calls}.` +
      (changed === 0 ? '' : ` ${changed} of them returned a different result.`) +
      (this.#sees(context.turn) ? '' : ' Bars beyond the look-back were not available to them.')
    );
  }

  /**
   * True if the bars that the earlier calls could read are still available. The look-back (maximum number of
   * past bars that can be read) may have removed some.
   */
  #sees(turn: BarContext): boolean {
    return this.#log.every(({ sight }) =>
      shownWindows(turn).every((window) => {
        const seen = sight.get(window.symbol);
        return seen === undefined || seen.revealed - seen.length >= window.revealed - window.length;
      }),
    );
  }
}

/**
 * Default session, which has the lifetime `decision`. A run with the lifetime `run` uses another session
 * under the same name.
 */
export const REPL: Shared<ReplSession> = { name: 'repl', make: () => new ReplSession('decision') };

// Ids only distinguish sessions within one process. They are not recorded.
function newId(): string {
  sessions += 1;
  return `session-${sessions}`;
}

function isLost(reply: SandboxReply): boolean {
  return !reply.ok && reply.kind === 'SessionLost';
}

function digestOf(reply: SandboxReply): string {
  const { ok, stdout = '' } = reply;
  const answer = ok ? reply.result : reply.error;
  return createHash('sha256')
    .update(JSON.stringify([ok, answer, stdout]))
    .digest('base64url')
    .slice(0, 16);
}

/** Reason why a session call failed: the agent's code, a timeout, a malformed reply, or a reset of Python. */
type FailureCode =
  | 'python_exception'
  | 'inspect_timeout'
  | 'eval_timeout'
  | 'invalid_result_shape'
  | 'sandbox_replaced';

/** Returns the answer to a successful session call: `{ok: true, result}`, with a note if there is one. */
export function success(result: Json, { note }: SessionReply): Json {
  return { ok: true, result, ...(note === undefined ? {} : { note }) };
}

/** Returns the answer to a failed session call: `{ok: false, error, …}`. */
export function failed(
  reply: Extract<SandboxReply, { ok: false }>,
  { note }: SessionReply,
  timeoutCode: FailureCode,
): Json {
  const { error, remediation, kind, line, traceback, stdout, stderr } = reply;
  const code =
    kind === 'TimeoutError' ? timeoutCode : reply.replaced === true ? 'sandbox_replaced' : 'python_exception';
  return {
    ok: false,
    error,
    remediation,
    code,
    ...(code === 'python_exception'
      ? {
          exception: {
            type: kind,
            ...(line === undefined ? {} : { line }),
            ...(traceback === undefined ? {} : { traceback }),
          },
        }
      : {}),
    ...(stdout ? { stdout } : {}),
    ...(stderr ? { stderr } : {}),
    ...(reply.replaced === true ? { replaced: true } : {}),
    ...notesOf(reply, note),
  };
}

/** Returns the failure for a reply without its required fields. */
export function malformed(): Json {
  return {
    ok: false,
    error: 'The reply of the Python process has an unexpected format.',
    remediation: 'Try again, or use eval_expr.',
    code: 'invalid_result_shape' satisfies FailureCode,
  };
}

/**
 * Returns the notes for a failed call: about variables lost before the call, and variables lost because of
 * the call.
 */
export function notesOf(reply: SandboxReply, note: string | undefined): { readonly note?: string } {
  const lost = !reply.ok && reply.replaced === true ? [LOST] : [];
  const notes = [...(note === undefined ? [] : [note]), ...lost];
  return notes.length === 0 ? {} : { note: notes.join(' ') };
}

/** Returns true if a recorded call reset Python. If the call were repeated, it would reset Python again. */
export function resetPython(result: Json): boolean {
  return typeof result === 'object' && result !== null && 'replaced' in result;
}

const LOST = 'Python was reset with this call. The effects of the call and the session are lost.';
