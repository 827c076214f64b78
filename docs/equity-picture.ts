const WIDTH = 720;
const HEIGHT = 220;
const MARGIN = { left: 8, right: 84, top: 12, bottom: 24 };
/** Most points of the line. More are not visible at this width. */
const POINTS = 600;

/** Colours with enough contrast on a white and on a black page. */
const LINE = '#3b82c4';
const TEXT = '#7a7f87';

const money = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Returns a picture (SVG) of the equity in an `equity.csv`, with its first and last date and value. */
export function equityPicture(csv: string): string {
  const rows = csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([, date = '', , equity]) => ({ date: date.slice(0, 10), equity: Number(equity) }));
  const first = rows[0]!;
  const last = rows.at(-1)!;
  const values = rows.map(({ equity }) => equity);
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const inner = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const x = (place: number): number => MARGIN.left + (inner.width * place) / Math.max(1, rows.length - 1);
  const y = (equity: number): number =>
    MARGIN.top + inner.height * (1 - (equity - low) / (high === low ? 1 : high - low));
  const step = Math.max(1, Math.floor(rows.length / POINTS));
  const line = rows
    .map(({ equity }, place) => ({ equity, place }))
    .filter(({ place }) => place % step === 0 || place === rows.length - 1)
    .map(({ equity, place }) => `${x(place).toFixed(1)},${y(equity).toFixed(1)}`)
    .join(' ');
  const text = (left: number, top: number, anchor: string, words: string): string =>
    `<text x="${left}" y="${top.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
  const start = y(first.equity);
  const end = y(last.equity);
  const apart = Math.abs(start - end) < 16 ? (end <= start ? 16 : -16) : 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Equity from ${money(first.equity)} to ${money(last.equity)}" font-family="sans-serif" font-size="13" fill="${TEXT}">
<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${start.toFixed(1)}" y2="${start.toFixed(1)}" stroke="${TEXT}" stroke-dasharray="3 4"/>
<polyline points="${line}" fill="none" stroke="${LINE}" stroke-width="1.5" stroke-linejoin="round"/>
${text(WIDTH - MARGIN.right + 6, start + apart + 4, 'start', money(first.equity))}
${text(WIDTH - MARGIN.right + 6, end + 4, 'start', money(last.equity))}
${text(MARGIN.left, HEIGHT - 6, 'start', first.date)}
${text(WIDTH - MARGIN.right, HEIGHT - 6, 'end', last.date)}
</svg>
`;
}
