import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conclusionOf } from './observation.ts';

const THOUGHTS = 'Volume rises while the price stands still. '.repeat(20);

describe('the stored summary of a decision', () => {
  it.each([
    ['all of a short answer', ' Bought ten of A.\n', 'Bought ten of A.'],
    [
      'what follows the last conclusion',
      `Decision: maybe.\n${THOUGHTS}\n\n**Final decision:** hold A.`,
      'hold A.',
    ],
    ['what follows a heading', `${THOUGHTS}\n## Conclusion\n\nSell B at 95.`, 'Sell B at 95.'],
    [
      'the last paragraphs that fit',
      `${THOUGHTS}\n\nB is cheap.\n\nI bought B.`,
      '…B is cheap.\n\nI bought B.',
    ],
  ])('is %s', (_, text, kept) => {
    expect(conclusionOf(text)).toBe(kept);
  });

  it('is the last complete sentences of an answer without paragraphs', () => {
    const kept = conclusionOf(`${THOUGHTS}So I hold.`);
    expect(kept).toMatch(/^…Volume .* So I hold\.$/);
    expect(kept.length).toBeGreaterThan(400);
  });

  it('is the first complete sentences of a conclusion that is too long', () => {
    const kept = conclusionOf(`${THOUGHTS}\nConclusion: I sell. ${THOUGHTS}`);
    expect(kept).toMatch(/^I sell\. .*\.$/s);
  });

  it('never exceeds the limit and contains the end of the answer, or all of it', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 10, max: 100 }), (text, most) => {
        const kept = conclusionOf(text, most);
        expect(kept.length).toBeLessThanOrEqual(most);
        if (text.trim().length <= most) expect(kept).toBe(text.trim());
        else expect(text).toContain(kept.replaceAll('…', '').slice(0, 5));
      }),
    ));
});
