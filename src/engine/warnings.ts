import { type CustomCosts, customModelNames } from '../broker/index.ts';
import type { RunSettings } from './settings.ts';

/** What a reader of a run's figures must know of how they came about; empty for a run by the ordinary rules. */
export function warningsOf(settings: RunSettings, costs?: CustomCosts): string[] {
  const stamps = customModelNames(costs).map((name) => `custom ${name} model`);
  if (settings.allowNegativeEquity === true) stamps.unshift('negative equity allowed');
  if (settings.resolve === 'best') stamps.unshift('better answers booked');
  return settings.fillOn === 'close' ? ['same-bar fills', ...stamps] : stamps;
}
