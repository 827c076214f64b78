import type { Json } from '../engine/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import type { SessionReply } from './repl-session.ts';

/** Why a look into the session failed: the agent's code, time, or a reply that is not what it should be. */
type FailureCode =
  | 'python_exception'
  | 'inspect_timeout'
  | 'eval_timeout'
  | 'invalid_result_shape'
  | 'sandbox_replaced';

/** The envelope of the tools that look into a session: `{ok: true, result}`, with a note where there is one. */
export function success(result: Json, { note }: SessionReply): Json {
  return { ok: true, result, ...(note === undefined ? {} : { note }) };
}

/** `{ok: false, error, …}` for a reply that is an error. */
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

/** For a reply that lacks what it must have. */
export function malformed(): Json {
  return {
    ok: false,
    error: 'The reply of the Python process was not of the shape it should have.',
    remediation: 'Try again, or use eval_expr.',
    code: 'invalid_result_shape' satisfies FailureCode,
  };
}

/** The notes of a failed call: on what was lost before it, and on what it has lost itself. */
export function notesOf(reply: SandboxReply, note: string | undefined): { readonly note?: string } {
  const lost = !reply.ok && reply.replaced === true ? [LOST] : [];
  const notes = [...(note === undefined ? [] : [note]), ...lost];
  return notes.length === 0 ? {} : { note: notes.join(' ') };
}

/** Whether a recorded call ended its process: run again, it would do so again. */
export function endedItsProcess(result: Json): boolean {
  return typeof result === 'object' && result !== null && 'replaced' in result;
}

const LOST = 'The process that held the session was ended with this call: what the call did is lost.';
