import type { RunServices } from '../run-services.ts';
import type { LlmStrategy } from './read-prompt.ts';

/** Returns the settings with masked dates and symbols. */
export function maskedSettings(
  settings: LlmStrategy['settings'],
  mask: RunServices['mask'],
): LlmStrategy['settings'] {
  if (mask === undefined) return settings;
  const { decision_start: start, schedule } = settings;
  return {
    ...settings,
    ...(start === undefined ? {} : { decision_start: mask.shown(start) }),
    ...(typeof schedule === 'object' && 'python' in schedule
      ? { schedule: { python: mask.maskText(schedule.python) } }
      : {}),
  };
}
