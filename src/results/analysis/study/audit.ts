import { percentage } from '../../../kernel/index.ts';
import { FEWEST_STRETCHES } from './calibration.ts';
import type { AuditAnswer, StudyArm, StudyReport } from './report.ts';

/**
 * Facts for the audit of one arm of a study. An arm is one of the compared strategies, with its model and
 * tools.
 */
export interface AuditFacts
  extends Pick<StudyReport, 'windows' | 'comparisons' | 'probes' | 'counterfactuals'> {
  readonly arm: StudyArm;
  /** True if market orders fill at the close of the bar on which they were decided. */
  readonly fillsAtClose: boolean;
  readonly runs: number;
  /** Number of orders over all runs of the arm. */
  readonly orders: number;
  readonly refused: number;
  readonly fills: number;
  readonly ambiguous: number;
  readonly toolCalls: number;
  readonly toolErrors: number;
  /** Net profit by symbol over all runs. */
  readonly profits: Readonly<Record<string, number>>;
}

const ILLUSION = 'The Alpha Illusion (Hu et al., 2026)';
const LOOK_AHEAD = 'Look-Ahead-Bench (Benhenda, 2026)';
const MIRAGE = 'Profit Mirage (Li et al., 2025)';

const LEVEL = 0.05;
/**
 * Largest share of rejected orders, of failed tool calls and of ambiguous fills with which the test
 * `Numerical execution` passes.
 */
const TOLERATED = 0.05;

type Answer = Pick<AuditAnswer, 'state' | 'figure' | 'why'>;

const untestable = (why: string): Answer => ({ state: 'not testable', figure: '–', why });
const judged = (passed: boolean, figure: string, why: string): Answer => ({
  state: passed ? 'passed' : 'failed',
  figure,
  why,
});

/**
 * Performs the tests that research papers require of a backtest with a language model. Each test cites its
 * paper.
 */
export function auditOf(facts: AuditFacts): AuditAnswer[] {
  const tests: readonly (readonly [test: string, source: string, answer: Answer])[] = [
    ['Temporal integrity of the data', ILLUSION, dataIntegrity(facts)],
    ['Temporal integrity of the model', ILLUSION, modelIntegrity(facts)],
    ['Recall of the data', MIRAGE, recall(facts)],
    ['Alpha decay, remembered to unseen', LOOK_AHEAD, decay(facts)],
    ['Counterfactual paths', MIRAGE, counterfactual(facts)],
    ['Real-world frictions', ILLUSION, frictions(facts)],
    ['Robustness to luck and baselines', ILLUSION, robustness(facts)],
    ['Robustness to the model’s dice', ILLUSION, dice(facts)],
    ['Predictive calibration', ILLUSION, calibrated(facts)],
    ['Numerical execution', ILLUSION, execution(facts)],
    ['Disaggregation by part', ILLUSION, ablation(facts)],
    ['Disaggregation by symbol', ILLUSION, bySymbol(facts)],
  ];
  return tests.map(([test, source, answer]) => ({ test, source, ...answer }));
}

function dataIntegrity({ fillsAtClose, runs, arm }: AuditFacts): Answer {
  const figure = `${runs} runs, ${arm.failures.length} failed`;
  if (fillsAtClose)
    return judged(false, figure, 'orders fill at the close they were decided at, which nobody can trade');
  if (runs === 0) return untestable('no run was completed');
  if (isAgent(arm))
    return untestable(
      'bars are handed over one at a time, but an agent outside the engine may read files and the network: run it where it can reach neither',
    );
  return judged(
    true,
    figure,
    `bars are revealed one at a time, and orders fill at the next open at the earliest${arm.model === null ? '' : '; no request contained a price of the canary bars after the last bar'}`,
  );
}

/**
 * True for an arm (compared strategy) with an external agent. Sandtable does not know the models that an
 * agent uses.
 */
function isAgent({ kind }: StudyArm): boolean {
  return kind === 'agent';
}

function isRule(arm: StudyArm): boolean {
  return arm.model === null && !isAgent(arm);
}

function modelIntegrity({ arm }: AuditFacts): Answer {
  if (isRule(arm)) return judged(true, 'no model', 'a rule has read nothing');
  if (arm.cutoff === null)
    return untestable(
      `the model’s cutoff is not known: give it as cutoff: 2024-06-01 ${isAgent(arm) ? 'beside the agent' : 'under models'}`,
    );
  const [before, after] = [arm.cutoff.before?.sessions ?? 0, arm.cutoff.after?.sessions ?? 0];
  return judged(
    before === 0,
    `${before} of ${before + after} sessions up to ${arm.cutoff.date}`,
    before === 0 ? 'the model was trained before the first of them' : 'the model may have read about them',
  );
}

function recall({ arm, probes }: AuditFacts): Answer {
  if (isAgent(arm)) return untestable('the models of an external agent cannot be probed');
  if (isRule(arm)) return judged(true, 'no model', 'a rule has read nothing');
  const probe = probes.find(({ model }) => model === arm.model);
  if (probe === undefined) return untestable('the model was not probed. Add leakage: { probe: 30 }');
  if (probe.refused !== null) return untestable(probe.refused);
  const figure = `p = ${probe.probability?.toPrecision(2)} of ${probe.questions} questions, ${probe.smallest?.toPrecision(2)} at the least`;
  return judged(
    !probe.remembers,
    figure,
    probe.remembers
      ? 'without data it knows moves or levels of these dates'
      : 'no sign of memorised data; which does not prove its absence',
  );
}

function decay({ arm, windows }: AuditFacts): Answer {
  const excessIn = (memory: 'remembered' | 'unseen') => {
    const names = windows.filter((window) => memoryOf(window, arm) === memory).map(({ name }) => name);
    const found = arm.windows.flatMap(({ name, beside }) =>
      names.includes(name) && beside !== null ? [beside] : [],
    );
    if (found.length === 0) return undefined;
    const mean = (value: (one: (typeof found)[number]) => number): number =>
      found.reduce((sum, one) => sum + value(one), 0) / found.length;
    return { excess: mean(({ excess }) => excess), hold: mean(({ holdReturn }) => holdReturn) };
  };
  const [remembered, unseen] = [excessIn('remembered'), excessIn('unseen')];
  if (remembered === undefined || unseen === undefined)
    return untestable(
      'it needs a window that the model remembers and a window that it has not seen: use windows: { preset: look-ahead-bench }, or set memory for each window',
    );
  const figure = `excess ${percentage(remembered.excess)} remembered, ${percentage(unseen.excess)} unseen; decay ${percentage(unseen.excess - remembered.excess)} (holding ${percentage(remembered.hold)} and ${percentage(unseen.hold)})`;
  const holds = remembered.excess <= 0 || unseen.excess >= remembered.excess / 2;
  return judged(
    holds,
    figure,
    holds
      ? 'half of the excess over holding is left where the model has not seen the outcome, or there was none to lose'
      : 'less than half of the excess over holding is left where the model has not seen the outcome',
  );
}

/**
 * Determines if an arm's model may remember the data of a window (period). The study can state this for the
 * window (`memory`). Otherwise the model's training cutoff decides: `undefined` if the cutoff is unknown or
 * within the window.
 */
function memoryOf(
  { from, to, memory }: StudyReport['windows'][number],
  { cutoff }: Pick<StudyArm, 'cutoff'>,
): 'remembered' | 'unseen' | undefined {
  if (memory !== null) return memory;
  if (cutoff === null) return undefined;
  return to <= cutoff.date ? 'remembered' : from > cutoff.date ? 'unseen' : undefined;
}

function counterfactual({ arm, counterfactuals }: AuditFacts): Answer {
  const found = counterfactuals.find((one) => one.arm === arm.name);
  if (arm.mask.split('+').includes('dates'))
    return untestable(
      'the mask changes the dates, and each path has another calendar: decisions of two paths cannot be paired',
    );
  if (found !== undefined && found.consistency === null)
    return untestable('no decision of another path is at a bar of a decision of the real path');
  if (found?.agreement === 0)
    return untestable(
      'samples on the same path never order the same: a change of path cannot reduce their agreement of 0 %',
    );
  if (found === undefined || found.consistency === null)
    return untestable(
      isRule(arm)
        ? 'a rule is tested on other paths by sandtable stress'
        : 'it was not tested on other paths. Add leakage: { counterfactual: { worlds: 5 } }',
    );
  const beside = found.agreement ?? 1;
  const figure = `${percentage(found.consistency)} of decisions the same on ${found.worlds} other paths, ${found.agreement === null ? 'one sample' : `${percentage(found.agreement)} between samples`} on the same; p = ${found.p?.toPrecision(2)}`;
  const reads = found.consistency < 0.9 * beside;
  return judged(
    reads,
    figure,
    reads ? 'decisions follow the path that is shown' : 'decisions hardly depend on the path that is shown',
  );
}

function frictions({ arm }: AuditFacts): Answer {
  const { costs, beside } = arm;
  if (costs === null || costs.paidBasisPoints === null) return untestable('nothing was traded');
  const paid = costs.paidBasisPoints;
  const even = costs.breakEvenToHold;
  const figure = `paid ${paid.toFixed(1)} bp of what was traded; no better than holding at ${even === null ? '–' : `${even.toFixed(1)} bp`}`;
  if (paid === 0)
    return judged(false, figure, 'no cost was charged: give commission or slippage under settings');
  if ((beside?.excess ?? 0) <= 0)
    return judged(false, figure, 'at these costs it was not better than buy-and-hold');
  const survives = even === null || even >= 2 * paid;
  return judged(
    survives,
    figure,
    survives ? 'ahead of holding at twice these costs' : 'behind holding at twice these costs',
  );
}

function robustness({ arm, comparisons }: AuditFacts): Answer {
  if (arm.gaps.length > 0)
    return untestable(`no run has a result in ${arm.gaps.join(', ')}, where it may have lost`);
  const held = comparisons.find(({ a, b }) => a === arm.name && b === 'buy-and-hold');
  if (held === undefined || held.p === null)
    return untestable('too few sessions to be compared with holding');
  if (held.pHolm === null)
    return untestable(
      `${arm.name} − buy-and-hold is not a primary comparison of this study: add it under primary`,
    );
  const random = arm.random;
  const figure = `${percentage(held.estimate ?? 0)} a year against holding, p = ${held.pHolm.toPrecision(2)} after Holm${random === null ? '' : `; ahead of ${percentage(random.percentile)} of ${random.draws} random agents, p = ${random.pHolm.toPrecision(2)}`}`;
  const beyond = (held.estimate ?? 0) > 0 && held.pHolm < LEVEL && (random === null || random.pHolm < LEVEL);
  return judged(
    beyond,
    figure,
    beyond ? 'ahead of both by more than luck explains' : 'luck can explain the result',
  );
}

function dice({ arm }: AuditFacts): Answer {
  if (isRule(arm)) return judged(true, 'no model', 'a rule does the same every time');
  const { agreement } = arm;
  if (agreement === null || agreement.mean === null || agreement.entropy === null)
    return untestable('it needs at least two samples');
  const most = agreement.mostEntropy ?? 0;
  const alike = agreement.entropy < most / 2;
  return judged(
    alike,
    `agreement ${agreement.aboveFloor === null ? '–' : percentage(agreement.aboveFloor)} above its floor, entropy ${agreement.entropy.toFixed(2)} of ${most.toFixed(2)} bits over ${agreement.bars} decisions`,
    alike
      ? 'samples mostly order the same, sizes included'
      : 'samples order different things at most decisions',
  );
}

function calibrated({ arm: { calibration, ...arm } }: AuditFacts): Answer {
  if (isRule({ ...arm, calibration })) return untestable('a rule states no probability');
  if (calibration === null)
    return untestable(
      'no probability is looked for in decisions: calibration: { field: confidence, states: right, horizon: 5 } does',
    );
  const { field, forecasts, blocks, unusable, brier, reference, skill, skillLow, skillHigh, p } = calibration;
  if (forecasts === 0)
    return untestable(
      unusable > 0
        ? `not one of ${unusable} decisions has a number from 0 to 1 in ${field}`
        : `no forecast in ${field} has an outcome: nothing was ordered, or the window ends before it`,
    );
  if (brier === null || reference === null) return untestable('there is no score');
  const figure = `Brier ${brier.toFixed(3)}, of the base rate ${reference.toFixed(3)}; ${skill === null ? 'no skill can be defined' : `skill ${percentage(skill)}${skillLow === null || skillHigh === null ? '' : ` (${percentage(skillLow)} to ${percentage(skillHigh)})`}`}${p === null ? '' : `, p = ${p.toPrecision(2)}`}; ${forecasts} forecasts in ${blocks} stretches`;
  if (blocks < FEWEST_STRETCHES)
    return {
      state: 'not testable',
      figure,
      why: `fewer than ${FEWEST_STRETCHES} stretches of their horizon`,
    };
  if (skill === null || p === null)
    return { state: 'not testable', figure, why: 'all outcomes, or all that was stated, are the same' };
  if (p < LEVEL) return judged(false, figure, 'what is stated and what came true differ beyond luck');
  return judged(
    skill > 0,
    figure,
    skill > 0
      ? 'stated probabilities match the frequencies, and predict more than the base rate'
      : 'stated probabilities predict no more than the base rate',
  );
}

function execution({ orders, refused, fills, ambiguous, toolCalls, toolErrors }: AuditFacts): Answer {
  if (orders + refused === 0) return untestable('nothing was ordered');
  const share = (part: number, of: number): number => (of === 0 ? 0 : part / of);
  const parts = [share(refused, orders + refused), share(toolErrors, toolCalls), share(ambiguous, fills)];
  const good = parts.every((part) => part <= TOLERATED);
  const [first = 0, second = 0, third = 0] = parts;
  return judged(
    good,
    `${percentage(first)} of orders refused, ${percentage(second)} of tool calls in error, ${percentage(third)} of fills ambiguous`,
    good ? 'at most one in twenty of each' : 'more than one in twenty of one of them',
  );
}

function ablation({ arm, comparisons }: AuditFacts): Answer {
  if (isRule(arm)) return untestable('a rule has no tools that could be removed');
  const found = comparisons.find(
    ({ a, b, kind }) => kind === 'tools' && (a === arm.name || b === arm.name) && (isOff(a) || isOff(b)),
  );
  if (arm.tools === 'off') return untestable('this is the arm without tools');
  const p = found?.pHolm ?? found?.p ?? null;
  if (found === undefined || p === null || found.estimate === null)
    return untestable('there is no arm without tools to compare with. Add tools: [own, off]');
  const ahead = found.a === arm.name ? found.estimate : -found.estimate;
  const matters = ahead > 0 && p < LEVEL;
  return judged(
    matters,
    `${percentage(ahead)} a year against the same prompt without tools, p = ${p.toPrecision(2)}${found.pHolm === null ? ', not corrected' : ' after Holm'}`,
    matters ? 'what it looks up is worth something' : 'no sign that what it looks up is worth anything',
  );
}

function isOff(name: string): boolean {
  return name.split(' · ').includes('off');
}

function bySymbol({ profits }: AuditFacts): Answer {
  const own = Object.entries(profits).sort(([, one], [, other]) => other - one);
  if (own.length < 2) return untestable('fewer than two symbols were traded');
  const total = own.reduce((sum, [, profit]) => sum + profit, 0);
  const [best, most] = own[0]!;
  if (total <= 0) return judged(false, `${own.length} symbols`, 'there is no profit to attribute');
  const holds = total - most > 0;
  return judged(
    holds,
    `${best} brought ${percentage(most / total)} of the profit of ${own.length} symbols`,
    holds ? 'a profit is left without its best symbol' : 'without its best symbol nothing is left',
  );
}
