import { paint, paragraph, type TextStyle, textTable } from '../../kernel/index.ts';
import {
  probabilityText,
  STRESS_WORDS,
  type StressFigureName,
  type StressReport,
  shortLabel,
} from '../../results/analysis/index.ts';
import { figureText } from '../shared/figure-format.ts';
import { percent } from '../shared/formats.ts';

const KINDS: Readonly<Record<string, string>> = {
  permute: 'of the same bars in another order',
  'block-bootstrap': 'of blocks of its bars, drawn anew',
  regime: 'simulated in regimes fitted to the data',
  noise: 'with prices moved a little',
};

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** Returns sentences that describe how the worlds were generated. */
export function madeLines({ kind, made, seed, symbols }: StressReport): string[] {
  const bars = made.bars.toLocaleString('en-US');
  const together = symbols.length > 1 ? ', of all symbols together' : '';
  const lines = {
    permute: [
      `Whole bars change places${together}: what each did relative to the close before it, and its volume.`,
      `${made.made.toLocaleString('en-US')} of ${bars} bars can change places.`,
    ],
    'block-bootstrap': [
      `Blocks of bars are drawn with replacement${together}, ${(made.blockLength ?? 0).toFixed(1)} bars long on average (Politis and Romano, 1994).`,
    ],
    regime: (made.regimes ?? []).map(
      ({ share, bars: stay, mean, deviation }, index) =>
        `Regime ${index + 1}: ${percent(share, 0)} of ${bars} bars, ${stay > made.bars ? 'never left once entered' : `stays of ${stay.toFixed(0)} bars`}, mean return ${percent(mean, 3)} and standard deviation ${percent(deviation, 2)} a bar.`,
    ),
    noise: [
      made.noise?.unit === 'range'
        ? `Each price is moved by normal noise with a standard deviation of ${percent(made.noise.size, 0)} of its bar's range.`
        : `Each price is moved by normal noise with a standard deviation of ${made.noise?.size ?? 0} basis points.`,
    ],
  };
  const own = kind in lines ? lines[kind as keyof typeof lines] : [];
  const end =
    kind === 'noise'
      ? []
      : ['Dates, history before the first figure and the last price of each symbol stay as they are.'];
  return [...own, ...end, `Seed ${seed}.`];
}

const SHOWN: readonly StressFigureName[] = [
  'sharpe',
  'totalReturn',
  'maxDrawdown',
  'sortino',
  'profitFactor',
  'winRate',
  'tradeCount',
];

/** Returns the result of a stress test as text for a terminal. */
export function stressText(report: StressReport, folder: string, style: TextStyle): string {
  const { verdict, figures, kind } = report;
  const isNull = kind !== 'noise';
  const rows = SHOWN.map((name) => {
    const { actual, p, quantiles } = figures[name];
    const text = (value: number | undefined | null): string => figureText(name, value ?? null);
    return [
      shortLabel(name),
      text(actual),
      ...(isNull ? [p === undefined || p === null ? '–' : probabilityText(p)] : []),
      text(quantiles?.q05),
      text(quantiles?.q50),
      text(quantiles?.q95),
    ];
  });
  const head = ['', 'Actual', ...(isNull ? ['p'] : []), '5%', 'Middle', '95%'];
  const table = textTable(head, rows, style);
  const { shuffledTrades: cones } = report;
  return [
    paint(paragraph([`${STRESS_WORDS[verdict.state]}. ${verdict.because[0] ?? ''}`], style), 'bold', style),
    ...(verdict.because.length < 2 ? [] : [paragraph(verdict.because.slice(1), style)]),
    '',
    paragraph(
      [
        `${report.worlds.toLocaleString('en-US')} worlds ${kindText(kind)}${report.insolvent > 0 ? `, ${report.insolvent} of them insolvent` : ''}${report.failed > 0 ? `, ${report.failed} failed` : ''}`,
      ],
      style,
    ),
    // Without the line that counts the rows.
    table.slice(0, table.lastIndexOf('\n')),
    ...(cones === undefined || cones === null
      ? []
      : [
          '',
          paragraph(
            [
              `Trades drawn anew: ${percent(cones.resampled.totalReturn.q05)} to ${percent(cones.resampled.totalReturn.q95)} in nine draws of ten, one in twenty fell by ${percent(-cones.resampled.maxDrawdown.q05)} or more.`,
            ],
            style,
          ),
        ]),
    ...(report.notes.length === 0 ? [] : ['', paragraph(report.notes, style)]),
    '',
    `Folder    ${folder}`,
  ].join('\n');
}
