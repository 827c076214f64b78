import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { cutoffLines, splitAtCutoff } from './cutoff.ts';

const record = runRecord({
  cash: '100',
  equity: [110, 120, 132, 99],
  dates: ['2024-05-30', '2024-05-31T16:00:00', '2024-06-01T10:00:00', '2024-06-03'],
});

describe('metrics before and after the cutoff of a model', () => {
  it('include the bars of the cutoff day before it', () => {
    const split = splitAtCutoff(record, '2024-06-01')!;
    expect(split.before).toMatchObject({ firstBar: '2024-05-30', lastBar: '2024-06-01T10:00:00', bars: 3 });
    expect(split.after).toMatchObject({ firstBar: '2024-06-03', lastBar: '2024-06-03', bars: 1 });
    expect(split.before!.totalReturn).toBeCloseTo(0.32, 12);
    expect(split.after!.totalReturn).toBeCloseTo(-0.25, 12);
  });

  it('are null for a side without bars of the run', () => {
    expect(splitAtCutoff(record, '2024-06-03')).toMatchObject({ before: { bars: 4 }, after: null });
    expect(splitAtCutoff(record, '2024-05-29')).toMatchObject({ before: null, after: { bars: 4 } });
    expect(splitAtCutoff(record, undefined)).toBeNull();
  });

  it('are one line for each side', () => {
    expect(cutoffLines(null)).toEqual([]);
    const [before, after, ...others] = cutoffLines(splitAtCutoff(record, '2024-06-03'));
    expect(before).toBe(
      "Up to the model's cutoff of 2024-06-03: 4 bars, return −1.00%, Sharpe −1.63, drawdown −25.00%, 0 trades.",
    );
    expect(after).toBe("After the model's cutoff of 2024-06-03: no bar.");
    expect(others).toEqual([]);
  });
});
