/**
 * Names that the code of a call can use while the static check (the proof) still finds that the call leaves
 * nothing behind. After a call with other names, Python's whole memory is restored, which takes a few
 * milliseconds.
 *
 * A name is listed if two conditions are met for any object. Its use changes no state that a later call could
 * see. Its use reads no state that an earlier call left behind. With `--paranoid`, each proof is checked by
 * comparing Python's state before and after the call.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);
const setOf = (...texts: string[]): ReadonlySet<string> => new Set(texts.flatMap(words));

/** Builtins and helper functions that change nothing, or change only objects that the call has created. */
export const NAMES = setOf(
  'abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float format frozenset hash hex',
  'int isinstance issubclass iter len list map max min next oct ord pow print range repr reversed round set slice',
  'sorted str sum tuple type zip NotImplemented Ellipsis __name__ __debug__',
  // Classes of errors, which can be created, raised and caught.
  'Exception ArithmeticError AssertionError AttributeError FloatingPointError ImportError IndexError KeyError',
  'LookupError ModuleNotFoundError NameError NotImplementedError OverflowError RuntimeError StopIteration',
  'TimeoutError TypeError ValueError ZeroDivisionError Warning UserWarning RuntimeWarning',
  // Functions of Sandtable, which only read.
  'latest prev crossover crossunder above below frame features fundamentals documents universe',
  // Objects created for every call.
  'account cash equity positions df',
);

/** Names of objects that are created for each call. Assigning to their items affects only this call. */
export const OWN_NAMES = setOf('account positions df');

/**
 * Builtins whose result is a new object or an immutable value. Builtins that may return an existing mutable
 * object are not listed.
 */
export const MAKERS = setOf(
  'bytes dict float frozenset int list range reversed round set sorted str tuple abs pow',
  // Creates a new DataFrame at each call. A change of the frame copies the data first.
  'frame',
);

/** Attributes that change nothing, on any class of pandas, numpy and Python. */
export const ATTRIBUTES = setOf(
  // The bars, which are read-only.
  'date open high low close volume',
  // Properties of a frame, series, index or array.
  'T axes columns dtype dtypes empty hasnans iat iloc index is_monotonic_decreasing is_monotonic_increasing is_unique',
  'loc name names nbytes ndim nlevels real imag shape size values cat dt str left right mid length codes categories levels',
  // Reductions and statistics: new values.
  'all any argmax argmin argsort autocorr corr corrwith count cov cummax cummin cumprod cumsum describe diff duplicated',
  'first idxmax idxmin kurt kurtosis last mad max mean median min mode nlargest nsmallest nth nunique pct_change prod',
  'product ptp quantile rank searchsorted sem skew std sum tail head trace unique value_counts var first_valid_index',
  'last_valid_index ngroup cumcount size ohlc',
  // Arithmetic and comparison by name: new values.
  'abs sub mul div truediv floordiv mod pow radd rsub rmul rdiv rpow eq ne lt le gt ge dot between isin isna isnull',
  'notna notnull equals combine_first compare conj conjugate',
  // Reshaping and selecting: new objects, or read-only views of memory.
  'add_prefix add_suffix align asfreq asof assign astype at_time between_time bfill clip convert_dtypes copy cut drop',
  'drop_duplicates droplevel dropna explode ffill fillna filter flatten get_group get_level_values infer_objects',
  'interpolate intersection items iterrows itertuples join keys kind map mask melt merge nonzero pad pivot pivot_table',
  'ravel reindex reindex_like rename rename_axis reorder_levels repeat replace resample_bars reset_index reshape',
  'round sample',
  'select_dtypes set_axis set_index shift sort_index sort_values squeeze stack swapaxes swaplevel take tile to_flat_index',
  'to_frame to_period to_timestamp transpose truncate union unstack where xs difference symmetric_difference get_loc',
  // Windows and groups: objects of the call that compute on demand.
  'ewm expanding groupby groups indices ngroups resample rolling',
  // Conversions from pandas and numpy to Python values or text.
  'item tolist to_csv to_dict to_json to_list to_markdown to_numpy to_records to_string info memory_usage',
  // Dates: immutable values.
  'ceil day day_name day_of_week day_of_year dayofweek dayofyear days days_in_month floor freq fromisoformat hour',
  'is_leap_year is_month_end is_month_start is_quarter_end is_quarter_start is_year_end is_year_start isocalendar',
  'isoformat isoweekday microsecond minute strptime month month_name nanosecond normalize quarter second seconds strftime time',
  'timestamp to_pydatetime to_timedelta total_seconds toordinal utcoffset week weekday year rollback rollforward',
  // Time zones. pandas caches them by name when they are first read, which changes no result.
  'end_time start_time components tz tz_convert tz_localize',
  // Text: immutable values, also through `.str`.
  'capitalize casefold center contains endswith extract extractall find findall fullmatch get isalnum isalpha isdigit',
  'isdecimal islower isnumeric isspace istitle isupper len ljust lower lstrip match partition removeprefix removesuffix',
  'rfind rindex rjust rpartition rsplit rstrip slice split splitlines startswith strip swapcase title translate upper zfill',
  'cat group span start end groupdict',
  // Containers and errors: reading.
  'args most_common elements isdisjoint issubset issuperset bit_length is_integer as_integer_ratio numerator denominator',
  'quantize to_integral_value eps tiny resolution',
  // Universal functions (ufuncs) of numpy that are used as objects.
  'accumulate outer reduce nin nout',
  'total __name__ __doc__ value',
);

/** Methods that change their object. Allowed only on a name whose object was created by this call. */
export const OWN_METHODS = setOf(
  'add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse rotate setdefault sort',
  'subtract update move_to_end difference_update intersection_update symmetric_difference_update',
);

/**
 * Methods that may return an object that existed before the call. Their result therefore does not count as
 * created by the call.
 */
export const HANDS_BACK = setOf(
  'get pop popleft popitem setdefault get_group item map reduce getitem choice sample pipe',
);

/**
 * Methods that always return a new object. The name of a resulting series can therefore be set. Other
 * methods, such as `keys` or `astype`, may return a shared object, for example an index.
 */
export const NEW = setOf('copy cummax cummin cumprod cumsum diff pct_change');

/**
 * Window methods, after which a reduction always returns a new object. Without a window, `sum` may return the
 * only element of a series itself.
 */
export const WINDOWS = setOf('ewm expanding rolling');

/**
 * Methods with arguments that are functions or names of functions. Such a method must be called directly:
 * `x.agg(…)`, not `f = x.agg`. Each argument must be a function defined in the code, a function of numpy, or
 * a text of {@link AGGREGATIONS}.
 */
export const TAKES_FUNCTIONS = setOf('agg aggregate apply transform pipe applymap');
/**
 * Methods with a text argument that pandas evaluates as code. Such a method must be called directly, as for
 * {@link TAKES_FUNCTIONS}. The text may contain only names, numbers and operators.
 */
export const EVALUATES = setOf('eval query');
/**
 * Keyword arguments whose values are functions, in calls of any function. The values must follow the rules of
 * `TAKES_FUNCTIONS`.
 */
export const FUNCTION_KEYWORDS = setOf('aggfunc func');

/**
 * Texts that pandas may use as the name of a method: reductions and similar methods of {@link ATTRIBUTES}.
 */
export const AGGREGATIONS = setOf(
  'all any count cumcount cummax cummin cumprod cumsum diff first idxmax idxmin kurt last max mean median min ngroup',
  'nunique ohlc pct_change prod quantile rank sem shift size skew std sum var ffill bfill',
);

/**
 * Keyword arguments that only select how a result is computed. In calls of {@link FREE_KEYWORDS}, other
 * keywords are also allowed, because they are names of columns.
 */
export const KEYWORDS = setOf(
  'a adjust agg alpha anchored ascending axis b bins by categories center closed columns com count ddof decimals default',
  'deg direction dropna drop dtype edges end equal_nan errors fill_value float_format format freq full',
  'future_stack group_keys halflife header how id_vars ignore_index ignore_na include include_lowest index interval',
  'join keepdims key keys kind labels left_index left_on left_by length level levels limit limit_area limit_direction',
  'limit_method lower margins margins_name max_level method min_count min_periods mode n na_action na_position na_rep name',
  'names normalize normalization numeric_only observed offset on orient order ordered origin p percentiles periods prefix',
  'percent precision prefix_sep q quantile random_state range raw regex replace result_type retbins reverse right right_by',
  'right_index right_on rounding scalar sep side size sort span start step subset suffixes tolerance unit upper usecols',
  'vintages symbol validate value value_name value_vars values var_name verify weights window x xp fp y pct bias allow_duplicates case flags',
  'expand initial maxlen minimum maximum repeat strict reference start stop year month day hour minute second days hours',
  'minutes weeks seconds loc scale high low lam num endpoint rtol atol lag fast slow signal k d std',
  'smooth_k rma mamode talib drift asint fillna fill_method open_ close volume date to_replace na unit cumulative indent',
  'ensure_ascii sort_keys separators rel_tol abs_tol cond other left index_label line_width max_rows max_cols decimal',
  'duplicates items like regex pat repl element_wise bool_only skipna rowvar rcond w cov density shape',
  'invert assume_unique return_counts return_index return_inverse signature otypes excluded weekmask',
  'holidays floatfmt tablefmt args result_type divide invalid over under all dayfirst yearfirst inclusive first last mean var colspace justify show_dimensions maxsplit width',
);

/** Functions whose keyword arguments are column names chosen by the caller. */
export const FREE_KEYWORDS = setOf(
  'assign agg aggregate dict rename DataFrame Counter namedtuple replace update',
);

/** Methods of a frame for which `inplace=True` is allowed, if the call has created the frame. */
export const OWN_IN_PLACE = setOf(
  'dropna fillna drop sort_values sort_index reset_index set_index replace drop_duplicates ffill bfill clip interpolate',
  'where mask',
);

/**
 * Attributes that can be assigned on a frame or series that belongs to the call. An Index does not have these
 * attributes. This matters because an Index may be shared with objects that existed before the call.
 */
export const OWN_STORES = setOf('columns index');

/**
 * Attributes that can be assigned only on a new object. An Index also has them and may be shared with other
 * objects.
 */
export const NEW_STORES = setOf('name');

/** Allowed members by module. `*` means that all public members are pure functions or constants. */
export const MODULES: Readonly<Record<string, '*' | ReadonlySet<string>>> = {
  math: '*',
  statistics: '*',
  itertools: '*',
  bisect: '*',
  heapq: '*',
  string: '*',
  textwrap: '*',
  // `cast` is missing, because it returns its argument, which may be an object that existed before the call.
  typing: setOf(
    'Any Callable Dict Iterable Iterator List Literal Mapping Optional Sequence Set Tuple Type Union',
  ),
  fractions: '*',
  // `getcontext`, `setcontext` and `localcontext` are missing, because they access shared state.
  decimal: setOf('Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP ROUND_FLOOR ROUND_CEILING'),
  datetime: setOf('datetime date time timedelta timezone UTC MINYEAR MAXYEAR'),
  functools: setOf('reduce partial cmp_to_key'),
  collections: setOf('deque Counter OrderedDict defaultdict ChainMap abc'),
  'collections.abc': '*',
  operator: setOf(
    'add sub mul truediv floordiv mod neg pos pow abs eq ne lt le gt ge and_ or_ not_ xor itemgetter getitem contains',
    'countOf indexOf concat is_ is_not truth matmul invert',
  ),
  json: setOf('dumps loads JSONDecodeError'),
  re: '*',
  // The random numbers are seeded again before every call.
  random: setOf(
    'betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate paretovariate',
    'randint random randrange sample seed shuffle triangular uniform vonmisesvariate weibullvariate',
  ),
  copy: setOf('copy deepcopy'),
  // These functions have no effect in the sandbox.
  warnings: setOf('filterwarnings simplefilter resetwarnings warn catch_warnings'),
  contextlib: setOf('suppress'),
  __future__: '*',
  pd: setOf(
    'DataFrame Series Index MultiIndex RangeIndex DatetimeIndex TimedeltaIndex Categorical Timestamp Timedelta Period',
    'Interval DateOffset Grouper NamedAgg NaT NA IndexSlice array bdate_range concat crosstab cut date_range factorize',
    'from_dummies get_dummies interval_range isna isnull melt merge merge_asof merge_ordered notna notnull period_range',
    'pivot pivot_table qcut timedelta_range to_datetime to_numeric to_timedelta unique wide_to_long offsets api tseries',
    'errors option_context __version__',
  ),
  'pd.offsets': '*',
  'pd.tseries': setOf('offsets'),
  'pd.tseries.offsets': '*',
  'pd.errors': '*',
  'pd.api': setOf('types'),
  'pd.api.types': '*',
  'pd.DataFrame': setOf('from_dict from_records'),
  np: setOf(
    'abs absolute add all allclose amax amin any append apply_along_axis arange arccos arcsin arctan arctan2 argmax argmin',
    'argpartition argsort argwhere around array array_equal array_split asarray atleast_1d atleast_2d average bincount',
    'bool bool_ broadcast_to ceil clip column_stack concatenate conj convolve copysign corrcoef correlate cos cosh',
    'count_nonzero cov cross cumprod cumsum datetime64 deg2rad degrees delete diag diff digitize divide dot dstack e ediff1d',
    'empty empty_like equal errstate exp expand_dims expm1 eye fabs fft finfo fix flatnonzero flip fliplr flipud float32',
    'float64 floating floor floor_divide fmax fmin fmod full full_like geomspace gradient greater greater_equal histogram',
    'histogram2d hstack hypot identity iinfo inf inner insert int32 int64 integer interp intersect1d isclose isfinite isin',
    'isinf isnan isscalar issubdtype kron lexsort less less_equal lib linalg linspace log log10 log1p log2 logaddexp',
    'logical_and logical_not logical_or logical_xor logspace matmul max maximum mean median meshgrid min minimum mod modf',
    'moveaxis multiply nan nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile',
    'nanprod nanquantile nanstd nansum nanvar ndarray ndim negative newaxis nonzero not_equal number object_ ones ones_like',
    'outer pad partition percentile pi piecewise poly1d polyfit polyval positive power prod ptp quantile rad2deg radians',
    'random ravel reciprocal remainder repeat reshape resize rint roll rot90 round searchsorted select sign signbit sin sinh',
    'size sort split sqrt square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile timedelta64 trace',
    'transpose trapezoid tri tril triu true_divide trunc uint8 uint32 uint64 union1d unique unravel_index var vdot vectorize',
    'vstack where zeros zeros_like sliding_window_view exceptions generic bitwise_and bitwise_or bitwise_xor setdiff1d __version__',
  ),
  'np.linalg': '*',
  'np.fft': '*',
  'np.lib': setOf('stride_tricks'),
  'np.lib.stride_tricks': setOf('sliding_window_view'),
  // The random numbers are seeded again before every call.
  'np.random': setOf(
    'beta binomial bytes chisquare choice default_rng dirichlet exponential f gamma geometric gumbel laplace logistic',
    'lognormal multinomial multivariate_normal normal pareto permutation poisson rand randint randn random random_sample',
    'rayleigh seed shuffle standard_normal standard_t triangular uniform weibull',
  ),
};

/** Short names of modules by their import names. */
export const MODULE_NAMES: Readonly<Record<string, string>> = {
  numpy: 'np',
  pandas: 'pd',
  pandas_ta: 'ta',
  ta: 'ta',
};

/** Modules that are available without an import. */
export const GIVEN_MODULES = setOf('pd np ta math');

/**
 * Methods of a random generator, a window or an array. No object that later calls can see has a method with
 * one of these names.
 */
export const GENERATOR_ATTRIBUTES = setOf(
  'choice integers normal permutation random shuffle standard_normal uniform',
);

/**
 * Context managers that are allowed in a `with` block. At the end of the block, each of them undoes its
 * changes.
 */
export const BLOCKS = setOf('np.errstate warnings.catch_warnings contextlib.suppress pd.option_context');

/**
 * Allowed members of the module `ta`: indicators. Their cached results are in memory that no call can change.
 */
export const INDICATORS = setOf(
  'aberration accbands ad adosc adx alma amat ao aobv apo aroon atr bbands bias bop brar cci cdl_doji cdl_inside',
  'cdl_pattern cdl_z cfo cg chop cksp cmf cmo coppock cti decay decreasing dema dm donchian dpo drawdown ebsw efi',
  'ema entropy eom er eri fisher fwma ha hilo hl2 hlc3 hma hwc hwma ichimoku increasing inertia jma kama kc kdj kst',
  'kurtosis kvo linreg log_return long_run macd mad massi mcgd median mfi midpoint midprice mom natr nvi obv ohlc4',
  'pdist percent_return pgo ppo psar psl pvi pvo pvol pvr pvt pwma qqe qstick quantile rma roc rsi rsx rvgi rvi',
  'short_run sinwma skew slope sma smi squeeze squeeze_pro ssf stc stdev stoch stochrsi supertrend swma t3 td_seq',
  'tema thermo tos_stdevall trima trix true_range tsi tsignals ttm_trend ui uo variance vhf vidya vortex vp vwap',
  'vwma wcp willr wma xsignals zlma zscore above below above_value below_value cross cross_value signals ma',
  'Category version',
);
