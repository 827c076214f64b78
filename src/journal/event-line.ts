import type { BarEvent, RunEvent } from '../engine/index.ts';

/** Formats an event as a line of a journal, without the newline. Same output as `JSON.stringify`. */
export function eventLine(event: RunEvent): string {
  return (event.type === 'bar' ? barLine(event) : undefined) ?? JSON.stringify(event);
}

// Faster than `JSON.stringify` for bars, which are most lines of a journal. `undefined` for bars with unusual
// fields.
function barLine({
  bar,
  date,
  cash,
  equity,
  exposure,
  ambiguity,
  bounds,
  prices,
}: BarEvent): string | undefined {
  if (ambiguity !== undefined || bounds !== undefined || prices === undefined) return undefined;
  let text = `{"type":"bar","bar":${bar},"date":"${date}","cash":"${cash}","equity":"${equity}","exposure":${exposure},"prices":[`;
  for (let symbol = 0; symbol < prices.length; symbol++) {
    const values = prices[symbol]!;
    if (symbol > 0) text += ',';
    if (values === null) text += 'null';
    else {
      const [open, high, low, close, volume] = values;
      // JSON cannot represent NaN and infinities.
      if (!Number.isFinite(open + high + low + close + volume)) return undefined;
      text += `[${open},${high},${low},${close},${volume}]`;
    }
  }
  return `${text}]}`;
}
