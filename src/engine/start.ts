import type { CustomCosts } from '../broker/index.ts';
import type { Market } from '../market/index.ts';
import type { Decider } from './decider.ts';
import { DOORS } from './doors.ts';
import type { RunEvent } from './events.ts';
import { asJson } from './json.ts';
import type { RunSettings } from './settings.ts';
import { warningsOf } from './warnings.ts';

/** Returns the first event of a run that was started by a program. Its market has no files. */
export function startOf(
  market: Market,
  decider: Decider,
  settings: RunSettings,
  costs: CustomCosts | undefined,
): Extract<RunEvent, { type: 'run_started' }> {
  const stamps = warningsOf(settings, costs);
  return {
    type: 'run_started',
    schema: 1,
    strategy: { name: 'decider', kind: 'rules', parameters: {}, ...decider.strategy },
    settings: asJson(settings),
    symbols: market.symbols,
    bars: market.clock.length,
    data: [],
    ...(stamps.length === 0 ? {} : { stamps }),
    sealed: false,
    openDoors: [DOORS.strategyCode, ...(costs === undefined ? [] : [DOORS.costs])],
  };
}
