import { type ModelFailureKind, RunStop } from '../../engine/index.ts';
import type { ModelUnavailable } from '../model/exchange.ts';
import type { DecisionOptions } from './decision-options.ts';

const HINTS: Partial<Record<ModelFailureKind, string>> = {
  unauthorised: 'Check the key and its rights, then resume the run.',
  insufficient_quota: 'Check the credit and the quota of the account, then resume the run.',
  rejected:
    'Check what the server says of the request (model, sampling, extra_body, tools), then resume the run.',
};
const OTHER_HINT =
  'Check the server, then resume the run; on_failure: hold goes on without a decision instead.';

/**
 * Records that a model was unavailable.
 *
 * @throws RunStop if this ends the run
 */
export function heldOrStopped(
  { failure, attempts }: ModelUnavailable,
  round: number,
  options: Pick<DecisionOptions, 'turn' | 'sample' | 'speaker' | 'rejectedBefore' | 'policy'>,
): void {
  const { turn, sample, speaker, rejectedBefore } = options;
  // A wrong key, missing credit, an unknown model, or a request refused twice would fail at every bar.
  const lasting =
    failure.kind === 'unauthorised' ||
    failure.kind === 'insufficient_quota' ||
    failure.status === 404 ||
    (failure.kind === 'rejected' && rejectedBefore);
  const policy = lasting ? 'stop' : options.policy;
  const { bar } = turn;
  turn.record({ type: 'model_unavailable', bar, sample, ...speaker, round, attempts, failure, policy });
  if (policy === 'hold') return;
  const status = failure.status === null ? '' : ` (HTTP ${failure.status})`;
  throw new RunStop('stopped', {
    code: 'model_unavailable',
    message: `The model${speaker?.role === undefined ? '' : ` of ${speaker.role}`} could not be asked at bar ${bar}, round ${round}, in ${attempts} attempts: ${failure.kind}${status}, ${failure.message}.`,
    hint: HINTS[failure.kind] ?? OTHER_HINT,
  });
}
