import { decimal } from '../kernel/index.ts';

/** `0.1` percent as the share that a flag takes. */
export function percentFlag(percent: string): string {
  return decimal(percent).div(100).toFixed();
}

/** `1 trade`, `2 trades`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
