import { AppError } from '../kernel/index.ts';
import type { ChildAnswer } from './child-process.ts';
import type { SandboxCall, SandboxReply } from './sandbox-call.ts';

export function closed(): AppError {
  const message = 'The sandbox was closed.';
  return new AppError({ code: 'sandbox_closed', message, hint: 'Open a new one.', kind: 'run' });
}

export function contaminated(call: SandboxCall, left: string): AppError {
  return new AppError({
    code: 'sandbox_contaminated',
    message: `A call at bar ${call.bar} that was proved to leave nothing behind has changed what later calls see: ${left}. Its code: ${String(call.request.code ?? call.operation)}`,
    hint: 'The results of this run cannot be trusted. Report the code as a hole in the sandbox: see SECURITY.md.',
    kind: 'run',
  });
}

/** Returns the reply to a call that was ended in its process, was ended with its process, or crashed. */
export function lostReply(answer: Exclude<ChildAnswer, { kind: 'reply' }>, timeoutMs: number): SandboxReply {
  if (answer.kind === 'killed') {
    return {
      ok: false,
      replaced: true,
      kind: 'TimeoutError',
      error: `TimeoutError: computation timed out (${timeoutMs} ms)`,
      remediation: 'simplify the code or use fewer bars: it could not be interrupted, so Python was reset',
    };
  }
  return {
    ok: false,
    replaced: true,
    kind: 'SandboxCrash',
    error:
      'SandboxError: the Python process ended while it computed, most likely out of memory; it was replaced',
    remediation: 'use less memory: fewer bars, smaller arrays, no copies',
  };
}

/** Reply to invalid data from a child. */
export const MISSHAPEN: SandboxReply = {
  ok: false,
  replaced: true,
  kind: 'ProtocolError',
  error: 'SandboxError: the reply was not readable, so the Python process was replaced',
  remediation: 'simplify the code',
};
