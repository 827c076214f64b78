"""A few calls before the first real one: what pandas sets up on first use is set up now, outside any deadline."""

import json

from . import bars, frames
from .dispatch import call

_SYMBOL = "WARM-UP"
_BARS = 64
_CODE = (
    "df.close.iloc[-1]",
    "latest(ta.rsi(df.close, 14))",
    "crossover(ta.sma(df.close, 5), ta.sma(df.close, 20))",
    "latest(ta.atr(df.high, df.low, df.close, 14)) + latest(ta.ema(df.close, 10))",
    "df.close.pct_change().rolling(20).std().iloc[-1]",
    "frame('close').pct_change().corr().iloc[0, 0]",
    "result = {'vol': df.close.pct_change().tail(20).std(), 'mean': float(np.mean(df.close)), 'n': len(df)}",
)


def warm_up(rounds):
    """Run ordinary code over made-up bars, then forget them."""
    bars.reserve(_SYMBOL, _BARS)
    held = bars._store[_SYMBOL]
    for bar in range(_BARS):
        held.prices[:, bar] = (100 + bar % 7, 101 + bar % 7, 99 + bar % 7, 100 + bar % 5, 1000 + bar)
        held.times[bar] = bar * 86_400_000_000_000
    request = {
        "symbol": _SYMBOL,
        "symbols": [{"symbol": _SYMBOL, "start": 0, "length": _BARS}],
        "account": {"cash": 0, "equity": 0, "positions": {}},
        "seed": 0,
        "bar": _BARS - 1,
        "limits": {"timeoutMs": 500, "resultBytes": 32_768, "stdoutCharacters": 4_000, "codeCharacters": 20_000},
    }
    for _ in range(rounds):
        for code in _CODE:
            reply = json.loads(call("compute", json.dumps({**request, "code": code})))
            if not reply["ok"]:
                raise RuntimeError(f"the warm-up failed: {reply['error']}")
    # Hung on the columns that all frames of bars share, when it is first asked for.
    bars.columns.str
    bars.forget()
    frames.forget()
