import { z } from 'zod';
import type { JournalEvent } from '../../journal/index.ts';
import { DAY, formatInstant, parseInstant } from '../../kernel/index.ts';
import { integer } from '../shared/formats.ts';

/** As far as the trace needs it. */
const maskSchema = z.object({
  kinds: z.array(z.string()),
  symbols: z.record(z.string(), z.string()),
  days: z.number(),
  priceFactor: z.string(),
  volumeFactor: z.string(),
});

type TraceMask = z.infer<typeof maskSchema>;

/** How a run was shown to its decider, where that was not as it really was. */
export function maskOf(started: JournalEvent | undefined): TraceMask | undefined {
  const { data } = maskSchema.safeParse(started?.mask);
  return data;
}

/** What a reader of a masked run's trace has to know, in words. */
export function maskNotice({ kinds, symbols, days, priceFactor, volumeFactor }: TraceMask): string {
  const names = Object.entries(symbols).filter(([name, real]) => name !== real);
  const parts = [
    ...names.map(([name, real]) => `${name} is ${real}`),
    ...(days === 0
      ? []
      : [`its dates are ${integer(Math.abs(days))} days ${days > 0 ? 'later' : 'earlier'}`]),
    ...(priceFactor === '1'
      ? []
      : [`its money is multiplied by ${priceFactor}, its volume by ${volumeFactor}`]),
  ];
  return `This run was masked: ${kinds.join(', ')}. Bars, orders, fills and the account are shown as they really were; what tools and the model sent and received is shown as it was sent: ${parts.join(', ')}.`;
}

/** The date a decider saw on a bar; undefined where it was the real one. */
export function seenDate(date: string, mask: TraceMask | undefined): string | undefined {
  const instant = parseInstant(date);
  if (mask === undefined || mask.days === 0 || instant === undefined) return undefined;
  return formatInstant(instant + mask.days * DAY);
}
