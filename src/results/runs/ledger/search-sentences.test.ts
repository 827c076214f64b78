import { describe, expect, it } from 'vitest';
import { type Search, searchSentences } from './searches.ts';

const figure = (value: number | null, reason?: string) => ({
  value,
  convention: '',
  ...(reason === undefined ? {} : { reason }),
});
const dsr = (runId: string, value: number | null, reason?: string) => ({ runId, dsr: figure(value, reason) });
const crossed = { trials: 12, splits: 70, returns: 199, blocks: 8 } as Search['crossValidation'];

function search(own: Partial<Search> = {}): Search {
  return {
    ...{ strategy: 'cross', symbols: ['AAA', 'BBB'], firstBar: '2020-01-01', lastBar: '2020-12-31' },
    ...{ runs: 14, trials: 12, sharpeDeviation: 0.5, luckySharpe: figure(1.234) },
    ...{ compared: [dsr('a', 0.9876), dsr('b', null, 'no trade')], pbo: figure(0.2504) },
    crossValidation: crossed,
    ...own,
  };
}

const sentences = (...searches: readonly Search[]) =>
  searchSentences(searches, (runId) => runId.toUpperCase());
const FOUND =
  '12 different trials of cross on AAA, BBB, 2020-01-01 to 2020-12-31 in the results folder and its ledger (14 runs)';
const DSR =
  'Luck alone would show a Sharpe ratio of 1.23 in the best of them; the probability that the true one is above that (DSR):';
const PBO =
  'Probability that choosing the best of them overfits (PBO): 25.0%, over 70 ways to halve 199 sessions in 8 blocks';

describe('the sentence about a search', () => {
  it('states its trials, the deflated Sharpe ratios and the probability of overfitting', () => {
    expect(sentences(search())).toEqual([`${FOUND}. ${DSR} A 98.8%, B none (no trade). ${PBO}.`]);
  });

  it('states how many trials still have a run folder', () => {
    const fewer = { ...crossed!, trials: 9 };
    expect(sentences(search({ crossValidation: fewer }))[0]).toMatch(
      /8 blocks, of the 9 whose runs are kept\.$/,
    );
  });

  it('states why a figure is missing', () => {
    const unknown = figure(null, 'fewer than 4 trials (3)');
    expect(sentences(search({ pbo: unknown, crossValidation: null }))).toEqual([
      `${FOUND}. ${DSR} A 98.8%, B none (no trade). No probability of overfitting: fewer than 4 trials (3).`,
    ]);
    expect(sentences(search({ pbo: unknown }))[0]).toMatch(
      /No probability of overfitting: fewer than 4 trials/,
    );
    expect(sentences(search({ crossValidation: null }))[0]).toMatch(/No probability of overfitting: \.$/);
    expect(sentences(search({ luckySharpe: figure(null, 'no spread') }))).toEqual([
      `${FOUND}: no deflated Sharpe ratio, no spread.`,
    ]);
  });

  it('lists up to five runs in their order, or the best five of more runs', () => {
    const five = [0.1, 0.5, 0.3, 0.2, 0.4].map((value, at) => dsr(`r${at}`, value));
    expect(sentences(search({ compared: five }))[0]).toContain(
      '(DSR): R0 10.0%, R1 50.0%, R2 30.0%, R3 20.0%, R4 40.0%. Prob',
    );
    const seven = [dsr('none', null, 'short'), ...five, dsr('zero', 0)];
    expect(sentences(search({ compared: seven }))[0]).toContain(
      '(DSR): R1 50.0%, R4 40.0%, R2 30.0%, R3 20.0%, R0 10.0%, no more for the other 2. Prob',
    );
    const last = [dsr('none', null, 'short'), ...five.slice(1), dsr('zero', 0)];
    expect(sentences(search({ compared: last }))[0]).toContain(
      'R3 20.0%, ZERO 0.0%, no more for the other 1.',
    );
  });

  it('joins the searches with a single trial in the last sentence', () => {
    const single = search({ trials: 1, symbols: ['CCC'] });
    expect(sentences(single, search(), search({ trials: 1, strategy: 'other' }))).toEqual([
      expect.stringContaining(FOUND),
      'One trial only, so no choice was made and no Sharpe ratio is deflated: cross on CCC, 2020-01-01 to 2020-12-31; other on AAA, BBB, 2020-01-01 to 2020-12-31.',
    ]);
    expect(sentences()).toEqual([]);
  });
});
