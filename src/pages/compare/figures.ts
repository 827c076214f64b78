import type { RunSummary } from '../../analysis/index.ts';
import type { ComparedFigure } from '../../runs/index.ts';
import { amount, integer, percent, ratio, signedPoints } from '../shared/formats.ts';

type Kind = 'percent' | 'ratio' | 'count' | 'money';

interface FigureStyle {
  readonly label: string;
  readonly kind: Kind;
  /** Direction of improvement: higher is better (1), lower is better (−1) or neither (0). */
  readonly better: 1 | -1 | 0;
  /** Decimal places of a percentage. Default: 2. */
  readonly places?: number;
}

export const FIGURE_STYLES: Readonly<Record<ComparedFigure, FigureStyle>> = {
  totalReturn: { label: 'Total return', kind: 'percent', better: 1 },
  cagr: { label: 'CAGR', kind: 'percent', better: 1 },
  volatility: { label: 'Volatility', kind: 'percent', better: 0 },
  sharpe: { label: 'Sharpe', kind: 'ratio', better: 1 },
  psr: { label: 'PSR', kind: 'percent', better: 1 },
  sortino: { label: 'Sortino', kind: 'ratio', better: 1 },
  maxDrawdown: { label: 'Max drawdown', kind: 'percent', better: 1 },
  calmar: { label: 'Calmar', kind: 'ratio', better: 1 },
  exposure: { label: 'Time in market', kind: 'percent', better: 0 },
  turnover: { label: 'Turnover', kind: 'ratio', better: 0 },
  tradeCount: { label: 'Trades', kind: 'count', better: 0 },
  winRate: { label: 'Win rate', kind: 'percent', better: 1 },
  profitFactor: { label: 'Profit factor', kind: 'ratio', better: 1 },
  expectancyRate: { label: 'Expectancy', kind: 'percent', better: 1 },
  finalEquity: { label: 'Final equity', kind: 'money', better: 1 },
  commissionPaid: { label: 'Commission', kind: 'money', better: -1 },
  slippagePaid: { label: 'Slippage', kind: 'money', better: -1 },
  returnBeforeCosts: { label: 'Return before costs', kind: 'percent', better: 1 },
  returnAfterModel: { label: 'After model tokens', kind: 'percent', better: 1 },
  alpha: { label: 'Alpha a session', kind: 'percent', better: 1, places: 4 },
  beta: { label: 'Beta', kind: 'ratio', better: 0 },
};

/** Returns a formatted figure, or a dash if it is undefined. */
export function figureText(name: ComparedFigure, value: RunSummary[ComparedFigure] | undefined): string {
  const number = value === null || value === undefined ? null : Number(value);
  const style: FigureStyle = FIGURE_STYLES[name];
  switch (style.kind) {
    case 'percent':
      return percent(number, style.places);
    case 'ratio':
      return ratio(number);
    case 'count':
      return integer(number);
    case 'money':
      return amount(number);
  }
}

/** Returns a formatted difference with its sign. Differences of percentages are in percentage points. */
export function differenceText(name: ComparedFigure, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const style: FigureStyle = FIGURE_STYLES[name];
  if (style.kind === 'percent') return signedPoints(value, style.places);
  const text = figureText(name, value);
  return value > 0 ? `+${text}` : text;
}
