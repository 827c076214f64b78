import type { JournalEvent } from '../../journal/index.ts';
import { type MaskView, shownDate, viewOf } from '../../masking/index.ts';

/** Returns the mask of a run: how its decider saw the data. Undefined without a mask. */
export function maskOf(started: JournalEvent | undefined): MaskView | undefined {
  return viewOf(started?.mask);
}

/** Returns a note for readers of a masked run's trace, which describes the mask. */
export function maskNotice(view: MaskView): string {
  const { kinds } = view.terms;
  const parts = Object.entries(view.symbols).flatMap(([name, real]) => {
    const price = view.price(name);
    const own = [
      ...(name === real ? [] : [`${name} is ${real}`]),
      ...(price === '1'
        ? []
        : [`prices of ${real} are multiplied by ${price} and volumes by ${view.volume(name)}`]),
    ];
    return own.length === 0 ? [] : [own.join(', ')];
  });
  const dates = kinds.includes('dates') ? ['each bar has a date of a calendar that is made up'] : [];
  const shape = kinds.includes('shape') ? ' Its market was changed: returns were put in another order.' : '';
  return `This run was masked: ${kinds.join(', ')}. Bars, orders, fills and the account are shown as they really were, as far as rounding allows; what tools and the model sent and received is shown as it was sent: ${[...parts, ...dates].join('; ')}.${shape}`;
}

/** Returns the masked date of a bar. Undefined if the date was not masked. */
export function seenDate(date: string, view: MaskView | undefined): string | undefined {
  const seen = view === undefined ? undefined : shownDate(date, view);
  return seen === date ? undefined : seen;
}
