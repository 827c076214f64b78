"""What stands beside the indicators: signals, crossings, moving averages by name, strategies."""

SIGNAL_KEYWORDS = (
    "signal_indicators", "xa", "xb", "xserie", "xserie_a", "xserie_b", "cross_values", "cross_series"
)


def with_signals(result, kwargs, **levels):
    """`result`, joined by the columns of `ta.signals` when `signal_indicators` asks for them."""
    if not kwargs.get("signal_indicators"):
        return result
    from .signals import joined

    return joined(result, kwargs, **levels)
