"""The volatility indicators, one module each; `ta` imports a module when its indicator is first used."""
