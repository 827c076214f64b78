import { figureEntry } from '../../results/analysis/index.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';

/** Trial of a sweep: its parameters and its main figures. */
export type SweepTrial = SweepResult['top'][number];

export type ParameterValue = string | number | boolean;

/**
 * Returns the format for the values of an objective: fractions as percentages, all other figures as numbers.
 */
export function objectiveFormat(name: string): (value: number | null) => string {
  if (figureEntry(name)?.unit === 'share') return (value) => percent(value);
  return (value) =>
    value !== null && Math.abs(value) >= 1000 && Number.isFinite(value)
      ? integer(Math.round(value))
      : ratio(value, 3);
}

/** Returns the value of a parameter with at most six significant digits. */
export function valueText(value: ParameterValue): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
}

/** Returns the parameters of a trial as text: `fast 5, slow 60`. */
export function parametersText(parameters: Readonly<Record<string, ParameterValue>>): string {
  const parts = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return parts.length === 0 ? 'no parameters' : parts.join(', ');
}
