/**
 * Changes of a temporary copy, which pandas with copy-on-write drops silently, as data for any runner.
 *
 * Each one is a `ChainedAssignmentError` of its last line. The remediation is `write ` followed by `hint`.
 */
export interface ChainedSnippet {
  readonly code: string;
  readonly hint: string;
  /** Expected text of the error if the copy is not a temporary object. */
  readonly copy?: 'shared' | 'unused';
}

/** The messages of the error. */
export const chainedMessages = {
  temporary: 'this changes a temporary copy, so the original stays as it is',
  shared: 'this changes a copy of data that another object uses too, so the other object stays as it is',
  unused: 'this changes a copy of a row or column, and nothing uses the copy afterwards',
} as const;

const column = 'df["s"] = 0\n';

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
  },
  {
    code: 'df[df.close > 0].dropna(inplace=True)',
    hint: 'changed = df[df.close > 0].dropna()',
  },
  {
    code: 'for name in ("open", "close"):\n    df[name].iloc[0] = 1',
    hint: 'df.loc[df.index[0], name] = 1',
  },
  { code: 'df[df.close > 0]["s"] = 1', hint: "df.loc[df.close > 0, 's'] = 1" },
  { code: 'rows = df.close > 0\ndf[rows]["s"] = 1', hint: "df.loc[rows, 's'] = 1" },
  { code: 'rows = df.close > 0\ndf[rows].close = 1', hint: "df.loc[rows, 'close'] = 1" },
  { code: 'df.loc[df.close > 0]["close"] = 1', hint: "df.loc[df.close > 0, 'close'] = 1" },
  { code: 'df.iloc[-1]["close"] = 1', hint: "df.loc[df.index[-1], 'close'] = 1" },
  {
    code: 'bars = {"AAPL": df_aapl}\nbars["AAPL"]["close"][3] = 1',
    hint: "bars['AAPL'].loc[3, 'close'] = 1",
  },
  {
    code: 'class Signals:\n    def __init__(self):\n        self.bars = df\n    def mark(self):\n        self.bars["close"].iloc[-1] = 1\nSignals().mark()',
    hint: "self.bars.loc[self.bars.index[-1], 'close'] = 1",
  },
  { code: 'setattr(df[df.close > 0], "close", 1)', hint: "df.loc[df.close > 0, 'close'] = 1" },
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
    copy: 'shared',
  },
  {
    code: 'for name, values in df[["open", "close"]].items():\n    values.iloc[-1] += 1',
    hint: 'df.loc[df.index[-1], name] += 1',
    copy: 'shared',
  },
  {
    code: 'for i, row in df.iterrows():\n    if row.close > row["open"]:\n        row["s"] = 1',
    hint: "df.loc[i, 's'] = 1",
    copy: 'unused',
  },
  {
    code: 'for i, row in df.iterrows():\n    row.close += 1',
    hint: "df.loc[i, 'close'] += 1",
    copy: 'unused',
  },
  {
    code: 'for i, row in df.iterrows():\n    row.loc["close"] = 1',
    hint: "df.loc[i, 'close'] = 1",
    copy: 'unused',
  },
  {
    code: 'x = {"close": df["close"]}\nx["close"].fillna(0, inplace=True)',
    hint: "x['close'] = x['close'].fillna(0)",
    copy: 'shared',
  },
];

/** The same where no code can be written for it: the remediation names `df.loc`. */
export const chainedOtherwise: readonly string[] = [
  'df.copy()["s"] = 1',
  'df.tail(5).loc[0, "close"] = 1',
  'df["close"].name = "price"',
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
