import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { computeMetrics, countTrials } from '../../results/analysis/index.ts';
import { reportPage } from './report-page.ts';

const record = runRecord({ equity: [100, 103, 101, 106, 104, 109] });
const trial = (runId: string, sharpe: number) => ({ runId, folder: runId, sharpe, result: runId });

function section(trials?: ReturnType<typeof countTrials>): string {
  const page = reportPage({ runId: 'r', record, manifest: undefined, trials });
  const found = /<section id="luck"[\s\S]*?<\/section>/.exec(page)?.[0] ?? '';
  return found.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('the section on robustness', () => {
  it('has only the probabilistic Sharpe ratio if no results folder was read', () => {
    const psr = (computeMetrics(record).psr.value! * 100).toFixed(2);
    expect(section()).toContain(`Probabilistic Sharpe ratio (PSR) ${psr}%`);
    expect(section()).toContain('is not known here');
    expect(section()).not.toContain('DSR');
  });

  it('states the number of trials of the deflated Sharpe ratio', () => {
    const trials = [
      trial('a', 0.1),
      trial('b', 0.3),
      trial('c', -0.2),
      { ...trial('again', 0.1), result: 'a' },
    ];
    const text = section(countTrials(trials, 252));
    expect(text).toContain('As of 3 different trials (4 runs)');
    expect(text).toMatch(/Deflated Sharpe ratio \(DSR\) \d+\.\d\d%/);
  });

  it('states why the deflated Sharpe ratio is undefined for one trial', () => {
    const text = section(countTrials([trial('a', 0.1)], 252));
    expect(text).toContain('As of 1 trial (1 run)');
    expect(text).toContain('not defined: one trial: nothing was chosen among others');
  });
});
