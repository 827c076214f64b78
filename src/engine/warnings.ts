import { type CustomCosts, customModelNames } from '../broker/index.ts';
import type { RunSettings } from './settings.ts';

/** Returns warnings that affect how a run's figures should be read. Empty with default rules. */
export function warningsOf(settings: RunSettings, costs?: CustomCosts): string[] {
  const stamps = customModelNames(costs).map((name) => `custom ${name} model`);
  if (settings.allowNegativeEquity === true) stamps.unshift('negative equity allowed');
  if (settings.resolve === 'best') stamps.unshift('better answers booked');
  return settings.fillOn === 'close' ? ['same-bar fills', ...stamps] : stamps;
}
