"""Position sizing, imported by scripts that run in this folder."""


def kelly(returns):
    """The fraction of equity that Kelly's formula gives for daily returns: mean over variance, from 0 to 1."""
    mean = sum(returns) / len(returns)
    variance = sum((each - mean) ** 2 for each in returns) / len(returns)
    return min(max(mean / variance, 0.0), 1.0) if variance > 0 else 0.0
