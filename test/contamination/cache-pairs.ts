/**
 * Pairs of calls whose arguments are equal in Python but behave differently: `-0.0` and `0.0`, `True` and
 * `1`, `1.0` and `Decimal(1)`.
 *
 * A cache that compares arguments for equality returns the result of the first call also for the second call.
 */
export type Row = readonly [name: string, leave: string, see: string];

/** Pairs of values that are equal in Python but have different textual forms. */
const EQUAL: readonly (readonly [string, string])[] = [
  ['True', '1'],
  ['1', 'True'],
  ['1.0', '1'],
  ['-0.0', '0.0'],
  ['0.0', '-0.0'],
  ['False', '0'],
  ['Decimal(1)', '1'],
  ['1', 'Decimal(1)'],
  ['np.int64(1)', '1'],
  ['1', 'np.int64(1)'],
  ['np.float64(0.0)', '-0.0'],
  ['Fraction(1)', '1.0'],
  ['complex(0.0, -0.0)', 'complex(0.0, 0.0)'],
];

const FORMS: readonly string[] = [
  'typing.List[V]',
  'typing.Set[V]',
  'typing.Sequence[V]',
  'typing.Dict[str, V]',
  'typing.Mapping[V, int]',
  'typing.Tuple[V]',
  'typing.Tuple[V, str]',
  'typing.Optional[V]',
  'typing.Union[V, str]',
  'typing.Callable[[V], str]',
  'typing.Callable[[], V]',
  'typing.List[typing.Tuple[V]]',
];

const TYPING_IMPORTS = 'import typing\nfrom decimal import Decimal\nfrom fractions import Fraction\n';

const generics: readonly Row[] = FORMS.flatMap((form) =>
  EQUAL.map(([left, right]): Row => {
    const make = (value: string): string => form.replace('V', value);
    return [
      `${make(left)}, then ${right}`,
      `${TYPING_IMPORTS}x = ${make(left)}\nresult = 1`,
      `${TYPING_IMPORTS}result = str(${make(right)})`,
    ];
  }),
);

const UNIONS: readonly (readonly [string, string])[] = [
  ['typing.Union[int, str]', 'typing.Union[str, int]'],
  ['typing.Union[int, str, float]', 'typing.Union[float, int, str]'],
];
const unions: readonly Row[] = UNIONS.flatMap(([left, right]) =>
  [
    'typing.List[U]',
    'typing.Set[U]',
    'typing.Dict[str, U]',
    'typing.Tuple[U, int]',
    'typing.Callable[[U], int]',
    'typing.Iterable[U]',
  ].map(
    (form): Row => [
      `${form.replace('U', left)} in another order`,
      `import typing\nx = ${form.replace('U', left)}\nresult = 1`,
      `import typing\nresult = str(${form.replace('U', right)})`,
    ],
  ),
);

/** Pairs of zeros of the same type that are equal, but whose reciprocals differ. */
const ZEROS: readonly (readonly [string, string])[] = [
  ['-0.0', '0.0'],
  ['0.0', '-0.0'],
  ['np.float64(-0.0)', 'np.float64(0.0)'],
  ['np.float64(0.0)', 'np.float64(-0.0)'],
];
const FILLS: readonly string[] = [
  'df.close.reindex([999], fill_value=V)',
  'df.open.reindex([5, 999], fill_value=V)',
  'df[["close"]].reindex([999], fill_value=V).close',
  'df.close.reindex(range(290, 310), fill_value=V)',
  'df.close.head(2).astype("float32").reindex([999], fill_value=V)',
  'pd.Series([1.0, 2.0], index=["a", "b"]).reindex(["c"], fill_value=V)',
  'df.close.head(3).reindex_like(df.close).reindex([999], fill_value=V)',
  'df.set_index("date").close.head(3).asfreq("12h", fill_value=V).iloc[1:2]',
  'df.set_index("date")[["close"]].head(3).asfreq("12h", fill_value=V).close.iloc[1:2]',
  'pd.DataFrame({"a": ["x", "y"], "b": [1, 2], "close": [1.0, 2.0]}).set_index(["a", "b"]).close.unstack(fill_value=V).loc["x"]',
];
const fills: readonly Row[] = FILLS.flatMap((form) =>
  ZEROS.map(([left, right]): Row => {
    const make = (value: string): string => form.replace('V', value);
    return [
      `${make(left)}, then ${right}`,
      `x = ${make(left)}\nresult = 1`,
      `result = str(1 / ${make(right)}.iloc[-1])`,
    ];
  }),
);

const PATTERN_CALLS: readonly string[] = [
  're.findall("A", "a", V)',
  're.search("A", "a", V) is None',
  're.match("A", "a", V) is None',
  're.fullmatch("A", "a", V) is None',
  're.split("A", "bab", flags=V)',
  're.sub("A", "b", "a", flags=V)',
  're.subn("A", "b", "a", flags=V)',
  're.compile("A", V).findall("a")',
  'len(list(re.finditer("A", "a", V)))',
];
const NUMBERS_IMPORTS = 'import re\nfrom decimal import Decimal\nfrom fractions import Fraction\n';
const patterns: readonly Row[] = PATTERN_CALLS.flatMap((form) =>
  ['2.0', 'Decimal(2)', 'Fraction(2)', 'np.float64(2)', 'complex(2)'].map((flags): Row => {
    const make = (value: string): string => form.replace('V', value);
    return [
      `${make('2')}, then ${flags}`,
      `import re\nx = ${make('2')}\nresult = 1`,
      `${NUMBERS_IMPORTS}try:\n    result = ${make(flags)}\nexcept Exception:\n    result = "refused"`,
    ];
  }),
);

const flags: readonly Row[] = [
  ['True', '1', 'str(FLAG.value)'],
  ['1', 'True', 'str(FLAG.value)'],
  ['1', '1.0', 'str(int(FLAG))'],
  ['512', '512.0', 'str(int(FLAG))'],
  ['1', 'np.int64(1)', 'str(int(FLAG))'],
  ['3', '3.0', 'str(int(FLAG))'],
].map(
  ([left = '', right = '', see = '']): Row => [
    `the flag ${left}, then ${right}`,
    `import re\nx = type(re.I)(${left})\nresult = 1`,
    `import re\ntry:\n    result = ${see.replace('FLAG', `type(re.I)(${right})`)}\nexcept Exception:\n    result = "refused"`,
  ],
);

export const cacheGroups: Readonly<Record<string, readonly Row[]>> = {
  'equal arguments of typing': generics,
  'a union in another order': unions,
  'an equal fill value': fills,
  'equal flags of a pattern': patterns,
  'an equal flag': flags,
};
