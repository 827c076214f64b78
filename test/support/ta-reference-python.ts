/**
 * Python source with slow, simple definitions of indicators. They were written independently of the module
 * `ta`, whose results tests compare with them.
 */
export const referencePython = `
import math
from statistics import fmean

NAN = math.nan

def known(values):
    return all(value == value for value in values)

def roll(x, n, function):
    return [function(x[i - n + 1:i + 1]) if i >= n - 1 and known(x[i - n + 1:i + 1]) else NAN for i in range(len(x))]

def each(function, *columns):
    return [function(*row) if known(row) else NAN for row in zip(*columns)]

def lag(x, n=1):
    return [NAN] * n + x[:len(x) - n]

def change(x, n=1):
    return each(lambda a, b: a - b, x, lag(x, n))

def mean(x, n): return roll(x, n, fmean)
def total(x, n): return roll(x, n, math.fsum)
def high_of(x, n): return roll(x, n, max)
def low_of(x, n): return roll(x, n, min)
def divide(a, b): return a / b if b else (NAN if a == 0 else math.copysign(math.inf, a))

def weighted(x, weights):
    return roll(x, len(weights), lambda w: math.fsum(a * b for a, b in zip(w, weights)) / math.fsum(weights))

def wma(x, n): return weighted(x, range(1, n + 1))

def ema(x, n):
    out, head = [NAN] * len(x), [v for v in x[:n] if v == v]
    start = n - 1
    value = fmean(head) if head else NAN
    while start < len(x) and value != value:
        start += 1
        value = x[start] if start < len(x) else NAN
    for i in range(start, len(x)):
        if i > start:
            value += 2 / (n + 1) * (x[i] - value)
        out[i] = value
    return out

def ema_late(x, n):
    start = next((i for i, v in enumerate(x) if v == v), len(x))
    return [NAN] * start + ema(x[start:], n)

def rma(x, n):
    start = next((i for i, v in enumerate(x) if v == v), len(x))
    out = [NAN] * len(x)
    for i in range(start + n - 1, len(x)):
        weights = [(1 - 1 / n) ** (i - j) for j in range(start, i + 1)]
        out[i] = math.fsum(a * b for a, b in zip(weights, x[start:i + 1])) / math.fsum(weights)
    return out

def spread(window, ddof):
    middle = fmean(window)
    return math.fsum((v - middle) ** 2 for v in window) / (len(window) - ddof)

def moment(window, k):
    middle = fmean(window)
    return math.fsum((v - middle) ** k for v in window) / len(window)

def skewness(w):
    n = len(w)
    return math.sqrt(n * (n - 1)) / (n - 2) * moment(w, 3) / moment(w, 2) ** 1.5

def peakedness(w):
    n = len(w)
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (moment(w, 4) / moment(w, 2) ** 2 - 3) + 6)

def share(w, q):
    place = q * (len(w) - 1)
    ordered = sorted(w)
    below = int(place)
    above = min(below + 1, len(w) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

def away(w): return fmean([abs(v - fmean(w)) for v in w])

def line(w):
    n = len(w)
    times = list(range(1, n + 1))
    middle, height = fmean(times), fmean(w)
    slope = math.fsum((t - middle) * (v - height) for t, v in zip(times, w)) / math.fsum((t - middle) ** 2 for t in times)
    return slope, height - slope * middle

def correlation(w):
    times = range(1, len(w) + 1)
    return line(w)[0] * math.sqrt(spread(times, 0) / spread(w, 0))

def true_range(h, l, c):
    return [NAN] + [max(h[i] - l[i], abs(h[i] - c[i - 1]), abs(l[i] - c[i - 1])) for i in range(1, len(c))]

def rsi(c, n):
    step = change(c)
    up, down = rma(each(lambda v: max(v, 0), step), n), rma(each(lambda v: max(-v, 0), step), n)
    return each(lambda a, b: 100 * divide(a, a + b), up, down)

def place(v, lowest, highest): return 100 * (v - lowest) / ((highest - lowest) or 2.220446049250313e-16)

def macd(c, fast, slow, signal):
    main = each(lambda a, b: a - b, ema(c, fast), ema(c, slow))
    smooth = ema_late(main, signal)
    return main, each(lambda a, b: a - b, main, smooth), smooth

def movements(h, l):
    up, down = change(h), [-v for v in change(l)]
    return each(lambda a, b: a if a > b and a > 0 else 0, up, down), each(lambda a, b: b if b > a and b > 0 else 0, up, down)

def adx(h, l, c, n, m):
    extent = rma(true_range(h, l, c), n)
    plus, minus = (each(lambda a, b: 100 * a / b, rma(x, n), extent) for x in movements(h, l))
    return rma(each(lambda a, b: 100 * abs(a - b) / (a + b), plus, minus), m), plus, minus

def psar(h, l, c, step, speed, greatest):
    falls = l[0] - l[1] > max(h[1] - h[0], 0)
    stop, extreme = c[0], (l[0] if falls else h[0])
    long, short = [NAN], [NAN]
    for i in range(1, len(h)):
        stop += speed * (extreme - stop)
        turned = h[i] > stop if falls else l[i] < stop
        if (l[i] < extreme) if falls else (h[i] > extreme):
            extreme, speed = (l[i] if falls else h[i]), min(speed + step, greatest)
        recent = (h if falls else l)[max(i - 2, 0):i] + [stop]
        stop = max(recent) if falls else min(recent)
        if turned:
            stop, speed, falls = extreme, step, not falls
            extreme = l[i] if falls else h[i]
        long.append(NAN if falls else stop)
        short.append(stop if falls else NAN)
    return long, short

def supertrend(h, l, c, n, k):
    extent = rma(true_range(h, l, c), n)
    upper = [(a + b) / 2 + k * e for a, b, e in zip(h, l, extent)]
    lower = [(a + b) / 2 - k * e for a, b, e in zip(h, l, extent)]
    way, out, ways = 1, [0.0], [1]
    for i in range(1, len(c)):
        if c[i] > upper[i - 1]: way = 1
        elif c[i] < lower[i - 1]: way = -1
        elif way > 0 and lower[i] < lower[i - 1]: lower[i] = lower[i - 1]
        elif way < 0 and upper[i] > upper[i - 1]: upper[i] = upper[i - 1]
        out.append(lower[i] if way > 0 else upper[i])
        ways.append(way)
    return out, ways

def kama(c, n, fast, slow):
    out = [NAN] * (n - 1) + [0.0]
    for i in range(n, len(c)):
        path = math.fsum(abs(c[j] - c[j - 1]) or 2.220446049250313e-16 for j in range(i - n + 1, i + 1))
        ratio = abs(c[i] - c[i - n]) / path
        part = (ratio * (2 / (fast + 1) - 2 / (slow + 1)) + 2 / (slow + 1)) ** 2
        out.append(out[-1] + part * (c[i] - out[-1]))
    return out

def fisher(h, l, n):
    middle = [(a + b) / 2 for a, b in zip(h, l)]
    out, smooth = [NAN] * (n - 1) + [0.0], 0.0
    for i in range(n, len(middle)):
        window = middle[i - n + 1:i + 1]
        smooth = 0.66 * ((middle[i] - min(window)) / max(max(window) - min(window), 0.001) - 0.5) + 0.67 * smooth
        smooth = -0.999 if smooth < -0.99 else 0.999 if smooth > 0.99 else smooth
        out.append(0.5 * (math.log((1 + smooth) / (1 - smooth)) + out[-1]))
    return out

def index_of(c, v, rises):
    value, out = 1000.0, [1000.0]
    for i in range(1, len(c)):
        if (v[i] > v[i - 1]) if rises else (v[i] < v[i - 1]):
            value += 100 * (c[i] / c[i - 1] - 1)
        out.append(value)
    return out

def sums(x):
    value, out = 0.0, []
    for v in x:
        value += v if v == v else 0.0
        out.append(value if v == v else NAN)
    return out

def flow(h, l, c, v): return [x * (2 * b - (a + d)) / ((a - d) or 2.220446049250313e-16) for a, d, b, x in zip(h, l, c, v)]
def typical(h, l, c): return [(a + b + d) / 3 for a, b, d in zip(h, l, c)]
def strength(x, fast, slow): return ema(ema(x, slow), fast)
def fibonacci(n):
    row = [1, 1]
    while len(row) < n: row.append(row[-1] + row[-2])
    return row[:n]
`;
