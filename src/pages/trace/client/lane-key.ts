import type { StepKind, StepSummary } from '../step.ts';
import { element } from './dom.ts';
import { kindIcon, LOOKS } from './kinds.ts';
import { milliseconds } from './story-row.ts';

/**
 * Returns the key of the lane: each shape with its meaning and its number of steps. The key is also the text
 * alternative of the lane.
 */
export function laneKey(kinds: readonly StepKind[], steps: readonly StepSummary[]): HTMLLIElement[] {
  const number = (value: number): string => value.toLocaleString('en-US');
  const counts = kinds.map(
    (kind) => [kind, steps.filter(({ acts }) => acts.includes(LOOKS[kind].act)).length] as const,
  );
  const [tokens, times] = [
    steps.flatMap((step) => step.tokens ?? []),
    steps.flatMap((step) => step.milliseconds ?? []),
  ];
  const highest = (values: readonly number[]): number =>
    values.reduce((most, value) => Math.max(most, value), 0);
  return [
    ...counts
      .filter(([, count]) => count > 0)
      .map(([kind, count]) =>
        element('li', {}, kindIcon(kind, false), `${number(count)} ${LOOKS[kind].name}`),
      ),
    ...(tokens.length === 0
      ? []
      : [element('li', {}, `tokens of a decision: up to ${number(highest(tokens))}`)]),
    ...(times.length === 0
      ? []
      : [element('li', {}, `a decision took up to ${milliseconds(highest(times))} ms`)]),
  ];
}
