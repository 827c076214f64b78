import { ACCOUNT_CURRENCY, isJsonObject, type Json } from '../../engine/index.ts';
import type { StoredRun } from '../read-run.ts';

/** Inputs of a run by name: strategy, symbols, parameters and settings. */
type Facts = ReadonlyMap<string, Json>;

/** Parameter or setting that differs between runs, with one value per run in their order. */
export interface Difference {
  readonly name: string;
  readonly values: readonly (Json | undefined)[];
}

/** Returns all inputs of a run except data and period. */
function factsOf({ record }: StoredRun): Facts {
  const { strategy, settings, symbols } = record.started;
  return new Map<string, Json>([
    ['strategy', strategy.name],
    ['symbols', symbols],
    ...named('parameter', strategy.parameters),
    ...named('setting', tradingSettings(settings)),
  ]);
}

function named(kind: string, values: Json): [string, Json][] {
  return Object.entries(settingsOf(values)).map(([name, value]) => [`${kind} ${name}`, value]);
}

export function settingsThatDiffer(stored: readonly StoredRun[]): Difference[] {
  const facts = stored.map(factsOf);
  const names = new Set(facts.flatMap((fact) => [...fact.keys()]));
  return [...names]
    .map((name) => ({ name, values: facts.map((fact) => fact.get(name)) }))
    .filter(({ values }) => new Set(values.map((value) => JSON.stringify(value) ?? '')).size > 1);
}

/** Returns the inputs of a run as a flat map with the names that users know: `fast`, `risk.maxDrawdown`. */
export function flatFacts({ record }: StoredRun): ReadonlyMap<string, string> {
  const { strategy, settings } = record.started;
  const models = [...new Set(record.models.map(({ model }) => model))];
  return flatFactsOf({ parameters: strategy.parameters, models, settings: tradingSettings(settings) });
}

/** Like `flatFacts`, for the content of a manifest or of the first line of a journal. */
export function flatFactsOf(made: {
  readonly parameters: Json;
  readonly models: readonly string[];
  readonly settings: Json;
}): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, value: Json): void => {
    if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    } else found.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  };
  for (const [name, value] of Object.entries(settingsOf(made.parameters))) add(name, value);
  if (made.models.length > 0) add('model', made.models.join(' and '));
  for (const [name, value] of Object.entries(settingsOf(made.settings))) add(name, value);
  return found;
}

/** Defaults of settings that a run does not state. */
const UNNAMED: Readonly<Record<string, Json>> = { currency: ACCOUNT_CURRENCY, mark: 'close' };

/** Returns the settings of a run, with defaults for settings that it does not state. */
export function tradingSettings(settings: Json): Readonly<Record<string, Json>> {
  return { ...UNNAMED, ...settingsOf(settings) };
}

/** Returns the currency of a run's account. */
export function currencyOf({ record }: StoredRun): string {
  return String(tradingSettings(record.started.settings).currency);
}

export function settingsOf(settings: Json): Readonly<Record<string, Json>> {
  return isJsonObject(settings) ? settings : {};
}
