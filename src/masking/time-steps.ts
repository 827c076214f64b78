import type { TimeSteps } from '../engine/index.ts';

/** Encodes rising instants as a short text. Most calendars have equal steps. */
export function writeSteps(times: ArrayLike<number>): TimeSteps {
  const steps = Array.from(
    { length: Math.max(0, times.length - 1) },
    (_, bar) => times[bar + 1]! - times[bar]!,
  );
  const unit = steps.reduce(gcd, 0) || 1;
  const parts: string[] = [];
  for (let at = 0; at < steps.length; ) {
    let end = at + 1;
    while (steps[end] === steps[at]) end++;
    const own = String(steps[at]! / unit);
    parts.push(end - at === 1 ? own : `${own}x${end - at}`);
    at = end;
  }
  return { first: times[0] ?? 0, unit, steps: parts.join(' ') };
}

/** Decodes the result of `writeSteps`. */
export function readSteps({ first, unit, steps }: TimeSteps): Float64Array {
  const times = [first];
  let time = first;
  for (const part of steps === '' ? [] : steps.split(' ')) {
    const [step = 0, count = 1] = part.split('x').map(Number);
    for (let index = 0; index < count; index++) {
      time += step * unit;
      times.push(time);
    }
  }
  return Float64Array.from(times);
}

function gcd(one: number, other: number): number {
  return other === 0 ? one : gcd(other, one % other);
}
