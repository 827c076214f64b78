Feature: The engine and its broker
  A trader decides at a bar's close and trades at the next bar's open. Every candle, order and expected fill below is
  drawn by hand and can be checked against docs/fill-rules.md.

  Background:
    Given 10000 in cash

  Rule: One symbol

    Background:
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
        | 2020-01-09 | 98   | 100  | 95  | 96    | 1000   |
        | 2020-01-10 | 97   | 101  | 96  | 100   | 1000   |

    Scenario: An order decided at the close fills at the next open
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price |
        | 2020-01-07 | buy  | 10       | 102   |
      And the account at each close is:
        | date       | cash  | equity |
        | 2020-01-06 | 10000 | 10000  |
        | 2020-01-07 | 8980  | 10020  |
        | 2020-01-08 | 8980  | 9970   |
        | 2020-01-09 | 8980  | 9940   |
        | 2020-01-10 | 8980  | 9980   |

    Scenario: The last trade stays open, marked at the last close
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then no trade is closed
      And these trades are open at the end:
        | side | quantity | entry | last | gross | net |
        | long | 10       | 102   | 100  | -20   | -20 |

    Scenario: An order of the last bar never fills
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-10 | buy    | 10       |
      When the backtest runs
      Then nothing is filled
      And the final equity is 10000

    Scenario: Commission is charged on every fill, at entry and at exit
      Given a commission of 0.2%
      And the trader orders:
        | date       | action | quantity | reason    |
        | 2020-01-06 | buy    | 10       |           |
        | 2020-01-08 | close  |          | stop here |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price | commission | cash    |
        | 2020-01-07 | buy  | 10       | 102   | 2.04       | 8977.96 |
        | 2020-01-09 | sell | 10       | 98    | 1.96       | 9956    |
      And these trades are closed:
        | side | quantity | entry | exit | gross | commission | net | reason    |
        | long | 10       | 102   | 98   | -40   | 4          | -44 | stop here |
      And the final equity is 9956

    Scenario: Slippage moves the price against the trader
      Given slippage of 50 basis points
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-08 | sell   | 10       |
      When the backtest runs
      Then these fills happen:
        | date       | side | priceBeforeSlippage | price  |
        | 2020-01-07 | buy  | 102                 | 102.51 |
        | 2020-01-09 | sell | 98                  | 97.51  |

    Scenario: Slippage never leaves the bar's range
      Given slippage of 500 basis points
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-08 | sell   | 10       |
      When the backtest runs
      Then these fills happen:
        | date       | side | priceBeforeSlippage | price |
        | 2020-01-07 | buy  | 102                 | 105   |
        | 2020-01-09 | sell | 98                  | 95    |

    Scenario: A short position earns when the price falls
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | sell   | 10       |
        | 2020-01-08 | close  |          |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price |
        | 2020-01-07 | sell | 10       | 102   |
        | 2020-01-09 | buy  | 10       | 98    |
      And these trades are closed:
        | side  | quantity | entry | exit | net |
        | short | 10       | 102   | 98   | 40  |
      And the account at each close is:
        | date       | cash  | equity |
        | 2020-01-06 | 10000 | 10000  |
        | 2020-01-07 | 11020 | 9980   |
        | 2020-01-08 | 11020 | 10030  |
        | 2020-01-09 | 10040 | 10040  |
        | 2020-01-10 | 10040 | 10040  |

    Scenario: A reversal closes one trade and opens another
      Given a commission of 1%
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-07 | sell   | 25       |
        | 2020-01-09 | close  |          |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price | commission |
        | 2020-01-07 | buy  | 10       | 102   | 10.2       |
        | 2020-01-08 | sell | 25       | 103   | 25.75      |
        | 2020-01-10 | buy  | 15       | 97    | 14.55      |
      And these trades are closed:
        | side  | quantity | entry | exit | gross | commission | net   |
        | long  | 10       | 102   | 103  | 10    | 20.5       | -10.5 |
        | short | 15       | 103   | 97   | 90    | 30         | 60    |

    Scenario: Lots are matched first in, first out
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-07 | buy    | 10       |
        | 2020-01-08 | sell   | 15       |
      When the backtest runs
      Then these trades are closed:
        | quantity | entry | exit | net |
        | 10       | 102   | 98   | -40 |
        | 5        | 103   | 98   | -25 |
      And these trades are open at the end:
        | quantity | entry | last | net |
        | 5        | 103   | 100  | -15 |

    Scenario: A share of the equity is sized at the fill, in whole units
      Given the trader orders:
        | date       | action | quantity      |
        | 2020-01-06 | buy    | 50% of equity |
      When the backtest runs
      Then these fills happen:
        | date       | quantity | price |
        | 2020-01-07 | 49       | 102   |

    Scenario: An order above the buying power is refused with the largest acceptable quantity
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-08 | buy    | 102      |
      When the backtest runs
      Then the order of 2020-01-08 is refused on 2020-01-08 as buying_power
      And the refusal of 2020-01-08 says "At most 101 would be accepted."
      And nothing is filled

    Scenario: The largest acceptable quantity is accepted
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-08 | buy    | 101      |
      When the backtest runs
      Then these fills happen:
        | date       | quantity | price | cash |
        | 2020-01-09 | 101      | 98    | 102  |

    Scenario: Commission reduces the buying power
      Given a commission of 2%
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-08 | buy    | 101      |
      When the backtest runs
      Then the order of 2020-01-08 is refused on 2020-01-08 as buying_power
      And the refusal of 2020-01-08 says "At most 99 would be accepted."

    Scenario: Buying power is checked again at the fill
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 99       |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-07 as buying_power
      And the refusal of 2020-01-07 says "At most 98 would have filled."
      And nothing is filled

    Scenario: A close without a position is refused
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | close  |          |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as nothing_to_close
      And nothing is filled

    Scenario: Selling more than the position is refused if short positions are not allowed
      Given short positions are not allowed
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-08 | sell   | 11       |
      When the backtest runs
      Then the order of 2020-01-08 is refused on 2020-01-08 as short_not_allowed
      And the refusal of 2020-01-08 says "Sell at most 10"

    Scenario Outline: A quantity of <quantity> units is refused
      Given the trader orders:
        | date       | action | quantity   |
        | 2020-01-06 | buy    | <quantity> |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as <code>

      Examples:
        | quantity | code               |
        | 0        | bad_quantity       |
        | -5       | bad_quantity       |
        | NaN      | bad_quantity       |
        | Infinity | bad_quantity       |
        | many     | bad_quantity       |
        | 0.5      | below_lot          |
        | 1.5      | not_a_lot_multiple |

    Scenario: An order script sets cash, commission and orders
      When this order script runs:
        """
        {
          "cash": 5000,
          "commissionRate": 0.001,
          "orders": [
            { "bar": 0, "side": "buy", "units": 20, "type": "market" },
            { "bar": 2, "side": "close", "reason": "two days are enough" }
          ]
        }
        """
      Then these fills happen:
        | date       | side | quantity | price | commission | cash    |
        | 2020-01-07 | buy  | 20       | 102   | 2.04       | 2957.96 |
        | 2020-01-09 | sell | 20       | 98    | 1.96       | 4916    |
      And these trades are closed:
        | net | reason              |
        | -84 | two days are enough |

  Rule: Bars that cannot trade

    Scenario: A bar without volume fills no order, which waits for the next bar with volume
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 101  | 101  | 101 | 101   | 0      |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price |
        | 2020-01-08 | buy  | 10       | 103   |

    Scenario: Several symbols share one time axis, and a stale price never fills an order
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
      And these bars of ZINC:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 20   | 21   | 19  | 20    | 1000   |
        | 2020-01-08 | 25   | 26   | 24  | 26    | 1000   |
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 10       | ZINC   |
        | 2020-01-06 | buy    | 10       | ACME   |
      When the backtest runs
      Then these fills happen:
        | date       | symbol | side | quantity | price |
        | 2020-01-07 | ACME   | buy  | 10       | 102   |
        | 2020-01-08 | ZINC   | buy  | 10       | 25    |
      And the account at each close is:
        | date       | cash  | equity |
        | 2020-01-06 | 10000 | 10000  |
        | 2020-01-07 | 8980  | 10020  |
        | 2020-01-08 | 8730  | 9980   |

    Scenario: A symbol without a first price cannot be ordered
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
      And these bars of ZINC:
        | date       | open | high | low | close | volume |
        | 2020-01-07 | 25   | 26   | 24  | 26    | 1000   |
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 10       | ZINC   |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as no_price

  Rule: Invariants

    Scenario: Equity always equals cash plus positions
      Given 300 simulated bars of AAPL and SPY
      And a commission of 0.1%
      And slippage of 5 basis points
      When a trader who buys, sells and closes at random runs
      Then at least 50 trades are closed
      And some orders are refused, each with a code and a remedy
      And at every close cash plus positions is the equity, to the last decimal
      And every fill lies inside the range of its bar

    Scenario: A strategy never sees a bar before it has closed
      Given 20 simulated bars
      When a trader who writes down the last bar it can see runs
      Then no trader saw a bar later than its own
