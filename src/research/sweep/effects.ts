import type { PreparedSweep } from './prepare-sweep.ts';
import type { Dimension } from './space.ts';
import type { SearchEnd, Tried } from './trial-runner.ts';

/** Effects of the searched parameters on the results. */
export interface Effects {
  /** Conclusion of a sweep in which all trials gave the same result. `undefined` for other sweeps. */
  readonly none: string | undefined;
  /** Notes on parameters without effect and on refused combinations. */
  readonly notes: readonly string[];
}

/** Compares the figures of trials that differ in one parameter only. */
export function effectsOf(
  { space, refusals }: Pick<PreparedSweep, 'space' | 'refusals'>,
  { tried, refused }: SearchEnd,
): Effects {
  const full = tried.filter(({ share, result }) => share === 1 && result.figures !== null);
  const varied = space.dimensions.filter(({ name }) => valuesOf(full, name).size > 1);
  const notes = refused === 0 ? [] : refusalNotes(refused, refusals());
  if (full.length > 1 && varied.length > 0 && distinct(full) === 1) {
    const names = varied.map(({ name }) => name);
    const idle = full[0]!.result.figures?.tradeCount === 0 ? ' No trade was closed.' : '';
    const none = `All ${full.length} trials gave the same result: ${names.length === 1 ? `the parameter ${names[0]} has` : `the parameters ${names.join(', ')} have`} no effect.${idle} Check that the strategy reads ${names.length === 1 ? 'it' : 'them'}, and that orders depend on ${names.length === 1 ? 'it' : 'them'}.`;
    return { none, notes };
  }
  const without = varied.filter((one) => hasNoEffect(one, full)).map(({ name }) => name);
  return {
    none: undefined,
    notes: [
      ...notes,
      ...without.map(
        (name) => `${name} has no effect: trials that differ only in ${name} gave the same result.`,
      ),
    ],
  };
}

/** True if every trial has the same result as the others with the same values of the other parameters. */
function hasNoEffect({ name }: Dimension, tried: readonly Tried[]): boolean {
  const groups = new Map<string, Tried[]>();
  for (const one of tried) {
    const { [name]: _, ...others } = one.trial.parameters;
    const key = JSON.stringify(others);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const compared = [...groups.values()].filter(({ length }) => length > 1);
  return compared.length > 0 && compared.every((group) => distinct(group) === 1);
}

function distinct(tried: readonly Tried[]): number {
  return new Set(tried.map(({ result }) => JSON.stringify(result.figures))).size;
}

function valuesOf(tried: readonly Tried[], name: string): Set<unknown> {
  return new Set(tried.map(({ trial }) => trial.parameters[name]));
}

/** Number of refusals in the result. */
const MOST_REFUSALS = 5;

function refusalNotes(refused: number, reasons: readonly string[]): string[] {
  const shown = reasons.slice(0, MOST_REFUSALS);
  const more = reasons.length - shown.length;
  return [
    `${refused} ${refused === 1 ? 'combination was' : 'combinations were'} refused: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
  ];
}
