/** Classes and constants: names that begin with a capital. */
export const CAPITAL = `
A A1 ADD AF_APPLETALK AF_ASH AF_ATMPVC AF_ATMSVC AF_AX25 AF_BRIDGE AF_ECONET AF_INET AF_INET6 AF_IPX AF_IRDA AF_KEY
AF_LLC AF_NETBEUI AF_NETROM AF_PACKET AF_PPPOX AF_RDS AF_ROSE AF_ROUTE AF_SECURITY AF_SNA AF_UNSPEC AF_WANPIPE AF_X25
AI_ADDRCONFIG AI_ALL AI_CANONNAME AI_NUMERICHOST AI_NUMERICSERV AI_PASSIVE AI_V4MAPPED ALWAYS AMPM AND ANY_CONTIGUOUS
APPLY APRIL ARITH ARRAY ASCII ASSIGN ATOM AUGUST AWAIT AbstractBasicAuthHandler AbstractDigestAuthHandler
AbstractMethodError AllStrategy AllStudy Any AttributeConflictWarning AxisError BAND BASE_MISSING_VALUES BDay BE_MAGIC
BIG BMonthBegin BMonthEnd BOLD_GREEN BOLD_MAGENTA BOLD_RED BOOL BOR BQuarterBegin BQuarterEnd BROKEN BXOR BYearBegin
BYearEnd BadLineHandleMethod BaseHTTPServer BaseHandler BaseOffset BasicContext BooleanDtype BusinessDay BusinessHour
BusinessMonthBegin BusinessMonthEnd C CATEGORICAL CBMonthBegin CBMonthEnd CDay CGIHTTPServer CLOSED CMP COMPLEX CONCAT
CONFORM CONTEXT CONTIG CONTIG_RO CONTINUOUS CPU CPU_PINNED CRC CREATED CSSWarning CUDA C_CONTIGUOUS CacheFTPHandler
CalamineReader Callable Categorical CategoricalConversionWarning CategoricalDtype CategoricalIndex Category ChainMap
ChainedAssignmentError Chebyshev Clamped ClassVar ClosedFileError Collection CommonStrategy CommonStudy ComplexWarning
Container ContentTooShortError Context ConversionSyntax Counter CustomBusinessDay CustomBusinessHour
CustomBusinessMonthBegin CustomBusinessMonthEnd DATE32 DATE64 DATETIME DEBUG DEBUG_BUILD DECEMBER DEREF DIV DOTALL
DO_HANDSHAKE DRAINING DTypePromotionError DataError DataFrame DatabaseError DateOffset DatetimeIndex DatetimeTZDtype
Day Decimal DecimalException DecimalTuple DefaultContext Dict DivisionByZero DivisionImpossible DivisionUndefined
DtypeWarning DuplicateLabelError ECHILD EJECT ENG_PREFIXES ENTERED EQ ERROR EXITED EXPIRED EXPIRING EXPR Easter Emax
Emin EmptyDataError Enum Etiny Etop ExtendedContext FACTOR FACTORS FALLBACK FEBRUARY FIELD_STRUCT FILLING FLOAT
FLOAT16 FLOAT32 FLOAT64 FLUSHING FORMAT FRIDAY FR_ANN FR_BUS FR_DAY FR_HR FR_MIN FR_MS FR_MTH FR_NS FR_QTR FR_SEC
FR_UND FR_US FR_WK FTPHandler FULL FULL_RO FY5253 FY5253Quarter F_CONTIGUOUS False_ FancyURLopener FileHandler
FileHeader Final FixedForwardWindowIndexer Float32Dtype Float64Dtype FloatOperation Fortran Fraction FrozenSet GE
GREEN GREY GT Generator Generic Grouper H HAVE_CONTEXTVAR HAVE_THREADS HMS HTTPBasicAuthHandler HTTPCookieProcessor
HTTPDefaultErrorHandler HTTPDigestAuthHandler HTTPError HTTPErrorProcessor HTTPHandler HTTPPasswordMgr
HTTPPasswordMgrWithDefaultRealm HTTPRedirectHandler HTTPSHandler Hashable Hermite HermiteE Hour I IF_NEEDED IGNORECASE
INDEXING INDIRECT INITIALIZED INT INT16 INT32 INT64 INT8 INTEGER Imports IncompatibilityWarning Index IndexSlice
IndexingError Inexact Int16Dtype Int32Dtype Int64Dtype Int8Dtype IntCastingNaNError IntEnum Interval IntervalDtype
IntervalIndex InvalidColumnName InvalidComparison InvalidContext InvalidIndexError InvalidOperation InvalidVersion
Iterable Iterator JANUARY JSONDecodeError JULY JUMP JUNE KEEP KEYWORD_ONLY L LAND LARGE_STRING LE LE_MAGIC LITTLE
LOCALE LOR LT Laguerre LastWeekOfMonth Legendre LinAlgError List Literal LoadLibrary LossySetitemError M MAGENTA MARCH
MAXLINES MAXYEAR MAX_DIGEST_SIZE MAX_EMAX MAX_KEY_SIZE MAX_N MAX_PREC MAX_SEEK_READ MAY METAL MINUS_INFTY MINYEAR
MIN_EMIN MIN_ETINY MIN_READ_SIZE MISSING MISSING_VALUES MONDAY MONTHS MSG_CMSG_CLOEXEC MSG_CONFIRM MSG_CTRUNC
MSG_DONTROUTE MSG_DONTWAIT MSG_EOR MSG_ERRQUEUE MSG_FASTOPEN MSG_MORE MSG_NOSIGNAL MSG_OOB MSG_PEEK MSG_TRUNC
MSG_WAITALL MUL MULTILINE Mapping Match MergeError Micro Milli Minute ModuleDeprecationWarning MonthBegin MonthEnd
MultiIndex MutableMapping MutableSequence MutableSet NA NAMED_EXPR NAMED_FLAGS NATIVE ND NE NEAREST_HALF_EVEN
NEAREST_HALF_MINUS_INFTY NEAREST_HALF_PLUS_INFTY NEG NEVER NOFLAG NONE NON_NULLABLE NOT NOVEMBER NPY_FR_D
NPY_FR_GENERIC NPY_FR_M NPY_FR_W NPY_FR_Y NPY_FR_as NPY_FR_fs NPY_FR_h NPY_FR_m NPY_FR_ms NPY_FR_ns NPY_FR_ps NPY_FR_s
NPY_FR_us NULL NaT NamedAgg NamedTuple Nano NewType NoBufferPresent NormalDist NullFrequencyError
NumExprClobberingError NumbaUtilError OCTOBER ODFReader OPENCL OPEN_METH OR OpenerDirector OpenpyxlReader OptionError
Optional OrderedDict OutOfBoundsDatetime OutOfBoundsTimedelta Overflow PERSON_SIZE PERTAIN PLUS_INFTY POS
POSITIONAL_ONLY POSITIONAL_OR_KEYWORD POW POWER PRODUCT ParseResult ParserError ParserWarning Pattern
PerformanceWarning Period PeriodDtype PeriodIndex Polynomial PossibleDataLossError PossiblePrecisionLoss Protocol
ProxyBasicAuthHandler ProxyDigestAuthHandler ProxyHandler PyperclipException PyperclipWindowsException Python
PyxlsbReader Q QuarterBegin QuarterEnd R READ REAL RECORDS RECORDS_RO RED REF REGISTRY_KEY REGISTRY_KEY_DEBUG
RELATIONAL RESET RESETTING RESO_DAY RESO_HR RESO_MIN RESO_MS RESO_MTH RESO_NS RESO_QTR RESO_SEC RESO_US RESO_YR ROCM
ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Random
RandomState RangeIndex RankWarning Request Reversible RobotFileParser Rounded S SALT_SIZE SATURDAY SEPTEMBER SHIFT
SHUTDOWN SIGABRT SIGALRM SIGBUS SIGCHLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL
SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU
SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_BLOCK SIG_DFL SIG_IGN SIG_SETMASK SIG_UNBLOCK SIMPLE
SKIP SOCK_CLOEXEC SOCK_DGRAM SOCK_NONBLOCK SOCK_RAW SOCK_RDM SOCK_SEQPACKET SOCK_STREAM SPACING STATE_CON_LOST
STATE_CON_MADE STATE_EOF STATE_INIT STRICT STRIDED STRIDED_RO STRIDES STRING STYLE_MAPPING SUB SUM SUNDAY SYMBOL
ScalarType Second SemiMonthBegin SemiMonthEnd Sequence Series Set SettingWithCopyError SettingWithCopyWarning
SimpleHTTPServer Sized SpecificationError SplitResult StatisticsError StrEnum Strategy StringDtype StringIO Study
Subnormal T TERM TERMS TERNARY TEST THURSDAY TIME TIMESTAMP TRY_NATIVE TUESDAY TUPLE TZOFFSET Tick Timedelta
TimedeltaIndex Timestamp TooHardError True_ Tuple Type TypeVar TypedDict U UINT UINT16 UINT32 UINT64 UINT8 UInt16Dtype
UInt32Dtype UInt64Dtype UInt8Dtype UNARY UNICODE UNIQUE UNSUPPORTED UNWRAPPED URLError URLopener USE_BITMASK
USE_BYTEMASK USE_NAN USE_SENTINEL UTC UTCZONE UndefinedVariableError Underflow Union UnknownHandler UnsortedIndexError
UnsupportedFunctionCall UserDict UserList UserString VAR_KEYWORD VAR_POSITIONAL VERBOSE VERSION VERSIONS VPI VULKAN
ValueLabelTypeMismatch Vh VisibleDeprecationWarning WARN WEDNESDAY WEEKDAYS WIFSTOPPED WNOHANG WRAPPED WRITABLE WRITE
WSTOPSIG Week WeekOfMonth X XlrdReader YELLOW YIELD YearBegin YearEnd
`;
