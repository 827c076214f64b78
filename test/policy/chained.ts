/**
 * Code that changes a copy, which pandas with copy-on-write ignores silently. The data can be used by several
 * tests.
 *
 * The sandbox refuses the code with a `ChainedAssignmentError`. The remediation is `write ` followed by
 * `hint`.
 */
export interface ChainedSnippet {
  readonly code: string;
  readonly hint: string;
  /**
   * Replacement for the refused line that has the intended effect in native pandas. Present if the refused
   * line has no effect or another effect there.
   */
  readonly meant?: string;
  /** Name of the DataFrame that the code changes. Default: `df`. */
  readonly frame?: string;
  /** Expected text of the error if the copy is not a temporary object. */
  readonly copy?: 'shared' | 'unused';
}

/** Messages of the error, by the kind of the copy. */
export const chainedMessages = {
  temporary: 'this changes a temporary copy, so the original stays as it is',
  shared: 'this changes a copy of data that another object uses too, so the other object stays as it is',
  unused: 'this changes a copy of a row or column, and nothing uses the copy afterwards',
} as const;

const column = 'df["s"] = 0\n';
const dated = `${column}df = df.set_index("date")\n`;
const doubled = `${column}df = pd.concat([df, df])\n`;

export const chained: readonly ChainedSnippet[] = [
  {
    code: `${column}df["s"][df.close > df.open] = 1`,
    hint: "df.loc[df.close > df.open, 's'] = 1",
  },
  { code: `${column}df["s"][df.close > 0] += 1`, hint: "df.loc[df.close > 0, 's'] += 1" },
  { code: `${column}df["s"].iloc[-1] = 5`, hint: "df.loc[df.index[-1], 's'] = 5" },
  { code: `${column}df["s"].loc[3] = 5`, hint: "df.loc[3, 's'] = 5" },
  { code: `${column}df["s"].at[3] = 5`, hint: "df.loc[3, 's'] = 5" },
  { code: `${column}df["s"].iat[3] = 5`, hint: "df.loc[df.index[3], 's'] = 5" },
  { code: `${column}df.s[3] = 5`, hint: "df.loc[3, 's'] = 5" },
  { code: `${column}df.s[:3] = 5`, hint: "df.loc[df.index[:3], 's'] = 5" },
  { code: `${column}df.s.iloc[-1] = 5`, hint: "df.loc[df.index[-1], 's'] = 5" },
  { code: `${column}df["s"].fillna(0, inplace=True)`, hint: "df['s'] = df['s'].fillna(0)" },
  {
    code: `${column}df.s.replace(0, np.nan, inplace=True)`,
    hint: "df['s'] = df.s.replace(0, np.nan)",
  },
  {
    code: `${column}now = True\ndf["s"].fillna(0, inplace=now)`,
    hint: "df['s'] = df['s'].fillna(0)",
  },
  { code: `${column}df["s"].ffill(inplace=True)`, hint: "df['s'] = df['s'].ffill()" },
  {
    code: `${column}df["s"].clip(1, 2, inplace=True)`,
    hint: "df['s'] = df['s'].clip(1, 2)",
  },
  {
    code: `${column}df["s"].where(df.s > 0, 1, inplace=True)`,
    hint: "df['s'] = df['s'].where(df.s > 0, 1)",
  },
  {
    code: `${column}df[["s", "close"]].fillna(0, inplace=True)`,
    hint: "df[['s', 'close']] = df[['s', 'close']].fillna(0)",
  },
  {
    code: `${column}df["s"].sort_values(inplace=True)`,
    hint: "changed = df['s'].sort_values()",
    meant: 'pass',
  },
  {
    code: 'df[df.close > 0].dropna(inplace=True)',
    hint: 'changed = df[df.close > 0].dropna()',
  },
  {
    code: 'for name in ("open", "close"):\n    df[name].iloc[0] = 1',
    hint: 'df.loc[df.index[0], name] = 1',
  },
  { code: 'df[df.close > 0]["s"] = 1', hint: "df.loc[df.close > 0, 's'] = 1", meant: 'df["s"] = 1.0' },
  { code: 'rows = df.close > 0\ndf[rows]["s"] = 1', hint: "df.loc[rows, 's'] = 1", meant: 'df["s"] = 1.0' },
  {
    code: 'rows = df.close > 0\ndf[rows].close = 1',
    hint: "df.loc[rows, 'close'] = 1",
    meant: 'df["close"] = 1.0',
  },
  {
    code: 'df.loc[df.close > 0]["close"] = 1',
    hint: "df.loc[df.close > 0, 'close'] = 1",
    meant: 'df["close"] = 1.0',
  },
  { code: 'df.iloc[-1]["close"] = 1', hint: "df.loc[df.index[-1], 'close'] = 1", meant: 'df.iat[-1, 4] = 1' },
  {
    code: 'bars = {"AAPL": df_aapl}\nbars["AAPL"]["close"][3] = 1',
    hint: "bars['AAPL'].loc[3, 'close'] = 1",
    frame: 'df_aapl',
  },
  {
    code: 'class Signals:\n    def __init__(self):\n        self.bars = df\n    def mark(self):\n        self.bars["close"].iloc[-1] = 1\nSignals().mark()',
    hint: "self.bars.loc[self.bars.index[-1], 'close'] = 1",
  },
  {
    code: 'setattr(df[df.close > 0], "close", 1)',
    hint: "df.loc[df.close > 0, 'close'] = 1",
    meant: 'df["close"] = 1.0',
  },
  { code: `${column}df["s"].pop(3)`, hint: "part = df['s'].copy(); part.pop(3)" },
  {
    code: 'df[df.close > 0].insert(0, "x", 1)',
    hint: "part = df[df.close > 0].copy(); part.insert(0, 'x', 1)",
  },
  {
    code: 'for name, values in df.items():\n    values.replace(1000, 0, inplace=True)',
    hint: 'df[name] = df[name].replace(1000, 0)',
    copy: 'shared',
  },
  {
    code: 'for name, values in df[["open", "close"]].items():\n    values[values > 0] = 1',
    hint: 'df.loc[values > 0, name] = 1',
    meant: 'df[name] = 1.0',
    copy: 'shared',
  },
  {
    code: 'for name, values in df[["open", "close"]].items():\n    values.iloc[-1] += 1',
    hint: 'df.loc[df.index[-1], name] += 1',
    meant: 'df[name] = [*values[:-1], values.iloc[-1] + 1]',
    copy: 'shared',
  },
  {
    code: 'for i, row in df.iterrows():\n    if row.close > row["open"]:\n        row["s"] = 1',
    hint: "df.loc[i, 's'] = 1",
    meant: 'df.at[i, "s"] = 1',
    copy: 'unused',
  },
  {
    code: 'for i, row in df.iterrows():\n    row.close += 1',
    hint: "df.loc[i, 'close'] += 1",
    meant: 'df.at[i, "close"] = row.close + 1',
    copy: 'unused',
  },
  {
    code: 'for i, row in df.iterrows():\n    row.loc["close"] = 1',
    hint: "df.loc[i, 'close'] = 1",
    meant: 'df.at[i, "close"] = 1',
    copy: 'unused',
  },
  {
    code: 'x = {"close": df["close"]}\nx["close"].fillna(0, inplace=True)',
    hint: "x['close'] = x['close'].fillna(0)",
    copy: 'shared',
  },
  // A number in square brackets is a position on an index of dates, and a label on an index of numbers.
  { code: `${dated}df["s"][3] = 5`, hint: "df.loc[df.index[3], 's'] = 5" },
  { code: `${dated}df["s"][-1] = 5`, hint: "df.loc[df.index[-1], 's'] = 5" },
  { code: `${dated}df["s"][[1, 2]] = 5`, hint: "df.iloc[[1, 2], df.columns.get_loc('s')] = 5" },
  { code: `${dated}day = str(df.index[4])[:10]\ndf["s"][day] = 5`, hint: "df.loc[day, 's'] = 5" },
  { code: `${dated}day = str(df.index[4])[:10]\ndf["s"][day:] = 5`, hint: "df.loc[day:, 's'] = 5" },
  { code: `${dated}df["s"][df.index[4]] = 5`, hint: "df.loc[df.index[4], 's'] = 5" },
  { code: `${dated}for i in range(1, 4):\n    df.s[i] = 1`, hint: "df.loc[df.index[i], 's'] = 1" },
  { code: `${dated}n = 2\ndf["s"][n + 1:] = 5`, hint: "df.loc[df.index[n + 1:], 's'] = 5" },
  {
    code: 'f = frame("close")\nf["AAPL"][-1] = 5',
    hint: "f.loc[f.index[-1], 'AAPL'] = 5",
    frame: 'f',
  },
  { code: `${column}df["s"][len(df) - 1] = 5`, hint: "df.loc[len(df) - 1, 's'] = 5" },
  { code: `${column}df["s"][[1, 2]] = 5`, hint: "df.loc[[1, 2], 's'] = 5" },
  { code: `${column}df = df[20:]\ndf["s"][20] = 5`, hint: "df.loc[20, 's'] = 5" },
  { code: `${column}df = df[20:]\ndf["s"].iloc[20] = 5`, hint: "df.loc[df.index[20], 's'] = 5" },
  { code: `${column}df = df[::-1]\ndf["s"][3] = 5`, hint: "df.loc[3, 's'] = 5" },
  { code: `${column}df = df[::-1]\ndf["s"][:3] = 5`, hint: "df.loc[df.index[:3], 's'] = 5" },
  // A label that occurs in several rows does not identify a position.
  { code: `${doubled}df["s"].iloc[3] = 5`, hint: "df.iloc[3, df.columns.get_loc('s')] = 5" },
  { code: `${doubled}df["s"][:3] = 5`, hint: "df.iloc[:3, df.columns.get_loc('s')] = 5" },
  { code: `${doubled}df["s"][3] = 5`, hint: "df.loc[3, 's'] = 5" },
  // Positions do not align a Series by its labels.
  {
    code: 'df["s"] = 0.0\ndf["s"].iloc[5:] = df.close[:55]',
    hint: "df.iloc[5:, df.columns.get_loc('s')] = df.close[:55]",
  },
  {
    code: `${column}df["s"][df.close > 100] = df.open * 2`,
    hint: "df.loc[df.close > 100, 's'] = df.open * 2",
  },
  {
    code: `${column}df["s"][df.close.diff().isna()] = np.nan`,
    hint: "df.loc[df.close.diff().isna(), 's'] = np.nan",
  },
  { code: `${column}df["s"].iloc[[1, 2]] = 5`, hint: "df.iloc[[1, 2], df.columns.get_loc('s')] = 5" },
  {
    code: `${column}df["s"].iloc[(df.close > 100).values] = 5`,
    hint: "df.iloc[(df.close > 100).values, df.columns.get_loc('s')] = 5",
  },
  {
    code: `${column}df.loc[:, "s"].iloc[3] = 5`,
    hint: "df.loc[df.index[3], 's'] = 5",
    meant: 'df["s"].iloc[3] = 5',
  },
  {
    code: `${column}name = "s"\ndf[f"{name}"].iloc[3] = 5`,
    hint: "df.loc[df.index[3], f'{name}'] = 5",
  },
  { code: `${column}def mark(bars):\n    bars["s"][3] = 5\nmark(df)`, hint: "bars.loc[3, 's'] = 5" },
  {
    code: `${column}for i, row in df[df.close > 100].iterrows():\n    row["s"] = 1`,
    hint: "df.loc[i, 's'] = 1",
    meant: 'df.at[i, "s"] = 1',
    copy: 'unused',
  },
  { code: `${column}df[3:5]["s"] = 5`, hint: "df.loc[df.index[3:5], 's'] = 5", meant: 'df.iloc[3:5, 6] = 5' },
  { code: `${column}df.loc[3:5]["s"] = 5`, hint: "df.loc[3:5, 's'] = 5", meant: 'df.iloc[3:6, 6] = 5' },
];

/** Refused code for which no replacement can be suggested. The remediation mentions `df.loc` instead. */
export const chainedOtherwise: readonly string[] = [
  'df.copy()["s"] = 1',
  'df.tail(5).loc[0, "close"] = 1',
  'df["close"].name = "price"',
  // The row does not exist, and `df.loc` would append it.
  'df["close"][-1] = 5',
  'df["close"][len(df)] = 5',
  'df["close"].loc[-1] = 5',
  // These expressions look like a column but are not a column.
  'df.T.iloc[-1, 3] = 5',
  'df["close"].T[3] = 5',
  'df.iloc[-5:, -1][:] = 4',
  // A replacement with the same selection would also be refused.
  'df[df.close > 100]["close"].iloc[0] = 4',
  'df[5:]["close"][7] = 4',
  'df[df.close > 100].fillna(0, inplace=True)',
  // The affected rows, or the assignment of values to rows, cannot be determined.
  'df["close"][(lambda: 3)()] = 5',
  'df["close"][df.close > 100] = df.open.values',
  'df = pd.concat([df, df])\nfor i, row in df.iterrows():\n    row["s"] = 1',
  'df["close"].iloc[0] = df["open"].iloc[0] = 4',
  'df["close"].iloc[0] = 4; df["open"].iloc[0] = 4',
  'del df["close"][0]',
  'df["close"].update(pd.Series([1.0]))',
  'import operator\noperator.setitem(df["close"], 0, 1)',
  'df["close"][0], x = 1, 2',
  'x = df["close"].pop(3)',
  'setattr(df["close"], "name", "price")',
  'x = [df["close"]]\nx[0][0] = 5',
  'for values in [df["open"], df["close"]]:\n    values.fillna(0, inplace=True)',
  '[values.fillna(0, inplace=True) for _, values in df.items()]',
  'def mark(row):\n    row["s"] = 1\ndf.apply(mark, axis=1)',
  'def mark(row):\n    if row["close"] > row["open"]:\n        row["s"] = 1\ndf = df.apply(mark, axis="columns")',
];

/** Number of the line of a refused snippet that changes the copy, counted from 1. */
export function lineOf(code: string): number {
  const lines = code.split('\n');
  const calls = lines.findIndex((line) => /^(mark\(df\)|Signals\(\)\.mark\(\))$/.test(line));
  return calls === -1 ? lines.length : calls;
}
