import { decimal } from '../kernel/index.ts';

/** Converts a percentage to the fraction that a flag expects: `0.1` becomes `0.001`. */
export function percentFlag(percent: string): string {
  return decimal(percent).div(100).toFixed();
}

/** Formats a number with its noun: `1 trade`, `2 trades`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
