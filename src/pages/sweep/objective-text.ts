import type { SweepResult } from '../../runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';

/** One trial of a sweep: its parameters and the figures that people choose by. */
export type SweepTrial = SweepResult['top'][number];

export type ParameterValue = string | number | boolean;

/** Figures that are shares of one. */
const SHARES = new Set([
  'totalReturn',
  'cagr',
  'volatility',
  'maxDrawdown',
  'averageDrawdown',
  'ulcerIndex',
  'valueAtRisk',
  'conditionalValueAtRisk',
  'exposure',
  'meanExposure',
  'winRate',
  'expectancyRate',
  'psr',
  'alpha',
  'benchmarkReturn',
  'returnBeforeCosts',
  'returnBeforeCommission',
]);

/** How the values of an objective are written: a share as a percentage, anything else as a number. */
export function objectiveFormat(name: string): (value: number | null) => string {
  if (SHARES.has(name)) return (value) => percent(value);
  return (value) =>
    value !== null && Math.abs(value) >= 1000 && Number.isFinite(value)
      ? integer(Math.round(value))
      : ratio(value, 3);
}

/** A value of a parameter, as short as it can be read. */
export function valueText(value: ParameterValue): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
}

/** `fast 5, slow 60`: a trial by what tells it from the others. */
export function parametersText(parameters: Readonly<Record<string, ParameterValue>>): string {
  const parts = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return parts.length === 0 ? 'no parameters' : parts.join(', ');
}
