import type { Json } from '../engine/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import type { SessionReply } from './repl-session.ts';

/** Reason why reading a session failed: the agent's code, a timeout, or a malformed reply. */
type FailureCode =
  | 'python_exception'
  | 'inspect_timeout'
  | 'eval_timeout'
  | 'invalid_result_shape'
  | 'sandbox_replaced';

/** Returns the envelope of a successful session call: `{ok: true, result}`, with a note if present. */
export function success(result: Json, { note }: SessionReply): Json {
  return { ok: true, result, ...(note === undefined ? {} : { note }) };
}

/** Returns `{ok: false, error, …}` for a reply that is an error. */
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

/** Returns notes for a failed call: about data lost before the call and data lost because of the call. */
export function notesOf(reply: SandboxReply, note: string | undefined): { readonly note?: string } {
  const lost = !reply.ok && reply.replaced === true ? [LOST] : [];
  const notes = [...(note === undefined ? [] : [note]), ...lost];
  return notes.length === 0 ? {} : { note: notes.join(' ') };
}

/** True if a recorded call reset Python. Repeating the call would reset Python again. */
export function resetPython(result: Json): boolean {
  return typeof result === 'object' && result !== null && 'replaced' in result;
}

const LOST = 'Python was reset with this call. The effects of the call and the session are lost.';
