import type { BarEvent, RunEvent } from '../engine/index.ts';

/** An event as a line of a journal, without the newline: what `JSON.stringify` makes of it. */
export function eventLine(event: RunEvent): string {
  return (event.type === 'bar' ? barLine(event) : undefined) ?? JSON.stringify(event);
}

// A journal is bars for the most part, and their fields are known; undefined for a bar with more than the usual ones.
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
      // JSON has no word for what is no number.
      if (!Number.isFinite(open + high + low + close + volume)) return undefined;
      text += `[${open},${high},${low},${close},${volume}]`;
    }
  }
  return `${text}]}`;
}
