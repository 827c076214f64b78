import type { Difference } from './compare.ts';
import { instantOf } from './state.ts';
import type { Outcome, Play } from './types.ts';

/**
 * Formats a test case for a person: the difference, candles, trading terms, order steps, and the outcomes of
 * broker and reference.
 */
export function reportPlay(
  play: Play,
  difference: Difference,
  broker: Outcome | undefined,
  reference: Outcome,
): string {
  const lines = [
    `${difference.where} differs`,
    `  broker     ${difference.broker}`,
    `  reference  ${difference.reference}`,
    '',
  ];
  for (const [symbol, candles] of Object.entries(play.candles)) {
    lines.push(
      `${symbol.padEnd(5)}${['time', 'open', 'high', 'low', 'close', 'volume']
        .map((word) => word.padStart(17))
        .join('')
        .replace(/^ {11}/, '')}`,
    );
    for (const [bar, candle] of candles.entries()) {
      const time = new Date(instantOf(play, bar)).toISOString().slice(0, 16);
      const cells = (candle ?? ['–', '–', '–', '–', '–']).map((value) => String(value).padStart(17));
      lines.push(`${String(bar).padStart(4)} ${time}${cells.join('').slice(11)}`);
    }
  }
  if (play.session !== undefined) lines.push('', `session ${JSON.stringify(play.session)}`);
  lines.push('', `terms ${JSON.stringify(play.terms)}`, '');
  for (const step of play.steps) {
    if ('submit' in step) lines.push(`at close ${step.bar}  ${step.name}: ${JSON.stringify(step.submit)}`);
    else if ('cancel' in step) lines.push(`at close ${step.bar}  cancel ${step.cancel}`);
    else lines.push(`at close ${step.bar}  replace ${step.replace}: ${JSON.stringify(step.changes)}`);
  }
  return [
    ...lines,
    '',
    'broker',
    ...(broker === undefined ? ['  threw'] : linesOf(broker)),
    'reference',
    ...linesOf(reference),
  ].join('\n');
}

function linesOf({ fills, refusals, cancels, equity }: Outcome): string[] {
  return [
    ...fills.map(
      (fill) =>
        `  bar ${fill.bar} order ${fill.order}: ${fill.side} ${fill.quantity} ${fill.symbol} @ ${fill.price} + ${fill.commission}${
          fill.ambiguous ? ', ambiguous' : ''
        }`,
    ),
    `  refused: ${refusals.join(', ') || 'none'}; cancelled (bar order): ${cancels.join(', ') || 'none'}`,
    `  equity: ${equity.join(' ')}`,
  ];
}
