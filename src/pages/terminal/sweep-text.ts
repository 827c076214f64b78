import { paint, paragraph, type TextStyle, textTable } from '../../kernel/index.ts';
import { alarmGroupLines } from '../../results/analysis/index.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import { grouped, percent } from '../shared/number-formats.ts';

/**
 * Formats a sweep for the terminal: the conclusion, the ten best trials, and the tests for luck and
 * overfitting.
 */
export function sweepText(result: SweepResult, folder: string, seconds: number, style: TextStyle): string {
  const { counts, objective, top, plateau, answer, looks, walkForward, crossValidation } = result;
  const number = grouped;
  const share = percent;
  const names = Object.keys(top[0]?.parameters ?? {});
  const table = textTable(
    [...names, objective.text, 'Return', 'Sharpe', 'Drawdown', 'Trades'],
    top.map((one) => [
      ...names.map((name) => String(one.parameters[name])),
      number(one.objective, 4),
      share(one.totalReturn),
      number(one.sharpe),
      share(one.maxDrawdown),
      number(one.tradeCount, 0),
    ]),
    style,
  );
  const { period, deflatedSharpe: deflated, pbo } = result;
  const from = period.evaluatedFrom ?? period.firstBar;
  const held = period.holdoutFrom === null ? '' : `; kept back from ${period.holdoutFrom} on`;
  const lines = [
    paint(paragraph([answer.text], style), 'bold', style),
    paragraph(
      [
        ...result.warnings,
        `${grouped(counts.trials, 0)} ${counts.trials === 1 ? 'trial' : 'trials'} of ${result.strategy.name} in ${seconds.toFixed(1)} s, judged from ${from} to ${period.lastBar}${held}; ${counts.refused} refused, ${counts.failed} failed, ${counts.unrated} without ${objective.text}${objective.constraints.length === 0 ? '' : ' or short of a constraint'}`,
        ...result.failures.map(({ message, trials }) => `  ${trials} failed: ${message}`),
        ...alarmGroupLines(result.alarms, counts.trials, 'trial').map((line) => `Alarm: ${line}`),
      ],
      style,
    ),
    ...(top.length === 0 ? [] : [table]),
    paragraph(
      [
        ...(plateau === null ? [] : [plateau.text]),
        `Deflated Sharpe ratio ${deflated.value === null ? '–' : percent(deflated.value)} over ${deflated.trials} different ${deflated.trials === 1 ? 'trial' : 'trials'} (${deflated.value === null ? deflated.reason : `luck alone: Sharpe ${number(deflated.luckySharpe)}`})${deflated.sharpeInterval === null ? '' : `; the best’s Sharpe ratio lies between ${number(deflated.sharpeInterval[0])} and ${number(deflated.sharpeInterval[1])} (95%)`}`,
        `Probability of overfitting ${pbo.value === null ? `–: ${pbo.reason}` : percent(pbo.value)}${pbo.interval === null ? '' : `, from ${percent(pbo.interval[0])} to ${percent(pbo.interval[1])} with parts of the time left out`}`,
        `${grouped(looks.total, 0)} different looks at these data ${looks.project === null ? 'with this strategy' : `in the project "${looks.project}"`} so far, ${grouped(looks.before, 0)} of them outside this sweep`,
        ...(walkForward === null
          ? []
          : [
              `Walk-forward: ${walkForward.windows.length} windows, return ${share(walkForward.totalReturn)}, Sharpe ${number(walkForward.sharpe)}, drawdown ${share(walkForward.maxDrawdown)}, ${walkForward.tradeCount} trades out of sample`,
              `  ${`${walkForward.positions} ${walkForward.history}`.trim()}`,
              ...walkForward.windows.map(
                ({ train, test, parameters, inSample, outOfSample }) =>
                  `  ${test.from} to ${test.to}${historyOf(train.historyBars, test.historyBars)}: ${
                    parameters === null
                      ? 'nothing chosen'
                      : Object.entries(parameters)
                          .map(([name, value]) => `${name}=${value}`)
                          .join(' ')
                  }; in sample ${number(inSample)}, out of sample ${number(outOfSample)}`,
              ),
            ]),
        ...(crossValidation === null
          ? []
          : [
              `Cross-validation: ${crossValidation.splits.length} splits, ${share(crossValidation.lossShare)} of them lose out of sample; Sharpe ratios of ${crossValidation.paths.length} paths ${crossValidation.paths.map((value) => number(value)).join(', ')}`,
              ...(crossValidation.windows.length === 0
                ? []
                : [
                    `  ${crossValidation.positions} ${crossValidation.history}`,
                    `  Bars of history by group: ${crossValidation.windows.map(({ historyBars }) => grouped(historyBars, 0)).join(', ')}`,
                  ]),
            ]),
      ],
      style,
    ),
    `Sweep: ${folder}`,
  ];
  return lines.join('\n');
}

/**
 * Returns a text with the numbers of bars that precede the training and the test of a walk-forward window.
 * Empty for a sweep of an earlier version.
 */
function historyOf(train: number | null, test: number | null): string {
  return train === null || test === null
    ? ''
    : ` (bars of history: ${grouped(train, 0)} in training, ${grouped(test, 0)} in the test)`;
}
