import { describe, expect, it } from 'vitest';
import { agreementByBar, agreementOf, type DecidedAction } from './agreement.ts';

function sample(...actions: readonly (string | null)[]): DecidedAction[] {
  return actions.flatMap((action, bar) =>
    action === null ? [] : [{ bar, date: `2024-01-0${bar + 1}`, action }],
  );
}

describe('agreement of samples', () => {
  it('distinguishes 0 % and 80 % of the same symbol', () => {
    const bars = agreementByBar([sample('target A 0%'), sample('target A 80%')]);
    expect(agreementOf(bars)).toEqual({
      ...{ mean: 0.5, floor: 0.5, aboveFloor: 0, entropy: 1, mostEntropy: 1, bars: 1 },
    });
  });

  it('has the entropy of a manual calculation: three of four alike', () => {
    const bars = agreementByBar([sample('hold'), sample('hold'), sample('hold'), sample('buy A 1')]);
    // −(3/4) log2(3/4) − (1/4) log2(1/4)
    expect(agreementOf(bars).entropy).toBeCloseTo(0.811_278_124, 9);
    expect(bars[0]).toMatchObject({ most: 'hold', agreement: 0.75 });
  });

  it('is 0 above its floor if no two of three samples agree, and 1 if all agree', () => {
    const differ = agreementByBar([sample('hold'), sample('buy A 1'), sample('buy A 2')]);
    expect(agreementOf(differ).mean).toBeCloseTo(1 / 3, 12);
    expect(agreementOf(differ).aboveFloor).toBeCloseTo(0, 12);
    const two = agreementByBar([sample('hold'), sample('hold'), sample('buy A 2')]);
    expect(agreementOf(two).aboveFloor).toBeCloseTo(0.5, 12);
    expect(agreementOf(agreementByBar([sample('hold'), sample('hold'), sample('hold')])).aboveFloor).toBe(1);
  });

  it('omits bars at which only one sample decided', () => {
    const bars = agreementByBar([sample('hold', 'hold'), sample('hold', null)]);
    expect(agreementOf(bars)).toEqual({
      ...{ mean: 1, floor: 0.5, aboveFloor: 1, entropy: 0, mostEntropy: 1, bars: 1 },
    });
    expect(agreementOf([])).toEqual({
      ...{ mean: null, floor: null, aboveFloor: null, entropy: null, mostEntropy: null, bars: 0 },
    });
  });
});
