/**
 * Draws the pictures of the indicators for docs/reference/indicators.md: 250 daily bars of data/spx-daily.csv. The price is
 * grey. Indicators on the scale of prices are drawn over the price, others below.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { provisionRuntime } from '../src/sandbox/index.ts';
import { bootPython } from '../src/sandbox/provision/start-python.ts';
import { FORMULAS } from './indicator-formulas.ts';

const ROOT = resolve(import.meta.dirname, '..');
const WIDTH = 420;
const PRICE_HEIGHT = 110;
const LOWER_HEIGHT = 90;
const COLOURS = ['#3b82c4', '#c2571a', '#2f8f5b', '#8e4ec6', '#b0406f', '#6b7280'];
const GREY = '#8a9099';
/** Bars before the drawn ones, so that long indicators have started. */
const HISTORY = 400;
const DRAWN = 250;

const CODE = `
import io, json
import pandas as pd
import ta
from ta._registry import CATEGORY_OF, COLUMNS_OF

df = pd.read_csv(io.StringIO(csv_text), parse_dates=["date"]).set_index("date").astype(float)

def numbers(series):
    return [None if value != value else float(f"{value:.6g}") for value in series.astype(float).tail(${DRAWN})]

found = []
for name, category in CATEGORY_OF.items():
    try:
        result = getattr(ta, name)(*[df[column] for column in COLUMNS_OF[name]])
    except Exception as problem:
        found.append({"name": name, "category": category, "columns": {}})
        continue
    if isinstance(result, tuple):
        result = result[0]
    if isinstance(result, pd.Series):
        result = result.to_frame(result.name or name)
    ok = isinstance(result, pd.DataFrame) and len(result) == len(df)
    columns = {str(key): numbers(result[key]) for key in result.columns} if ok else {}
    found.append({"name": name, "category": category, "columns": columns})
json.dumps({"close": numbers(df.close), "indicators": found})
`;

const answerSchema = z.object({
  close: z.array(z.number().nullable()),
  indicators: z.array(
    z.object({
      name: z.string(),
      category: z.string(),
      columns: z.record(z.string(), z.array(z.number().nullable())),
    }),
  ),
});
type Values = readonly (number | null)[];

const known = (values: Values): number[] => values.filter((value) => value !== null);

function scaleOf(lines: readonly Values[], top: number, height: number): (value: number) => number {
  const all = lines.flatMap(known);
  const low = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const span = high === low ? 1 : high - low;
  return (value) => top + height - 4 - ((value - low) / span) * (height - 8);
}

/** Returns the path of a line with gaps where values are missing. */
function pathOf(values: Values, y: (value: number) => number): string {
  let path = '';
  let isDrawing = false;
  for (const [at, value] of values.entries()) {
    if (value !== null)
      path += `${isDrawing ? 'L' : 'M'}${((at / (DRAWN - 1)) * WIDTH).toFixed(1)} ${y(value).toFixed(1)}`;
    isDrawing = value !== null;
  }
  return path;
}

function pictureOf(name: string, close: Values, columns: readonly Values[]): string {
  const closes = known(close);
  const [least, most] = [Math.min(...closes), Math.max(...closes)];
  const isOnPrice = columns.every((values) => {
    const numbers = known(values);
    return numbers.length > 0 && numbers.every((value) => value > least * 0.7 && value < most * 1.3);
  });
  const height = isOnPrice ? PRICE_HEIGHT : PRICE_HEIGHT + LOWER_HEIGHT;
  const price = scaleOf(isOnPrice ? [close, ...columns] : [close], 0, PRICE_HEIGHT);
  const lower = isOnPrice ? price : scaleOf(columns, PRICE_HEIGHT, LOWER_HEIGHT);
  const line = (values: Values, y: (value: number) => number, colour: string): string =>
    `<path d="${pathOf(values, y)}" fill="none" stroke="${colour}" stroke-width="1.2"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${name}">`,
    line(close, price, GREY),
    ...columns.map((values, at) => line(values, lower, COLOURS[at % COLOURS.length]!)),
    '</svg>\n',
  ].join('\n');
}

/** Writes the pictures and returns the page with them. */
export async function indicatorsPage(pictures: string): Promise<string> {
  mkdirSync(pictures, { recursive: true });
  const rows = readFileSync(join(ROOT, 'data', 'spx-daily.csv'), 'utf8')
    .trim()
    .split('\n');
  const python = await bootPython(await provisionRuntime());
  python.globals.set('csv_text', [rows[0], ...rows.slice(-HISTORY - DRAWN)].join('\n'));
  const { close, indicators } = answerSchema.parse(JSON.parse(String(python.runPython(CODE))));
  const sections: string[] = [];
  let category = '';
  for (const one of indicators) {
    if (one.category !== category) sections.push(`## ${one.category}`);
    category = one.category;
    const columns = Object.entries(one.columns).filter(([, values]) => known(values).length > 1);
    sections.push(`### ${one.name}`, `[Parameters, columns and source](../ta.md#${one.name})`);
    const formula = FORMULAS[one.name];
    if (formula !== undefined) sections.push(`\`\`\`\n${formula}\n\`\`\``);
    if (columns.length === 0) continue;
    writeFileSync(
      join(pictures, `${one.name}.svg`),
      pictureOf(
        one.name,
        close,
        columns.map(([, values]) => values),
      ),
    );
    sections.push(`![${columns.map(([column]) => column).join(', ')}](/indicators/${one.name}.svg)`);
  }
  return `# Indicators in pictures\n\nMade by the program: the last ${DRAWN} bars of \`data/spx-daily.csv\`, to 2020-04-17, with default parameters. The close is grey. Indicators on the scale of prices are drawn over the close, others below it. \`n\` is the length. [Indicators](../ta.md) has parameters, columns and sources of all.\n\n${sections.join('\n\n')}\n`;
}
