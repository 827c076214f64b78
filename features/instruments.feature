Feature: Instruments
  A contract is worth its price times a multiplier. A contract on margin is not paid for in full: its open profit
  belongs to the account. Each symbol may have its own tick, commission, leverage, hours and days of trading. Every
  number can be calculated by hand. The rules are in docs/instruments.md.

  Rule: Contracts on margin

    Background:
      Given 30000 in cash
      And these instruments:
        | symbol | multiplier | tick_size | tick_value | margin | maintenance_margin | commission              | expiry     |
        | ES     | 50         | 0.25      | 12.50      | 12000  | 11000              | per-share:perShare=2.25 | 2024-03-15 |
      And these bars of ES:
        | date       | open | high | low     | close   | volume |
        | 2024-03-11 | 4000 | 4010 | 3995    | 4005    | 1000   |
        | 2024-03-12 | 4006 | 4020 | 4000    | 4018    | 1000   |
        | 2024-03-13 | 4018 | 4030 | 4012    | 4025.25 | 1000   |
        | 2024-03-14 | 4025 | 4028 | 4001    | 4002    | 1000   |
        | 2024-03-15 | 4003 | 4012 | 3990    | 4010.50 | 1000   |
        | 2024-03-18 | 4011 | 4020 | 4008    | 4015    | 1000   |

    # Two contracts take 24000 of the 30000, a third does not fit. Each point is 2 × 50 = 100 dollars:
    # 30000 − 4.50 + 100 × (4018 − 4006) = 31195.50. One is sold at 4025: 50 × 19 − 2.25 = 947.75 in cash.
    # The other one expires on 2024-03-15 and is settled at that close: 50 × 4.50 = 225.
    Scenario: Two contracts are bought, one is sold, and one expires
      Given the trader places:
        | date       | action | quantity |
        | 2024-03-11 | buy    | 2        |
        | 2024-03-12 | buy    | 1        |
        | 2024-03-13 | sell   | 1        |
        | 2024-03-18 | buy    | 1        |
      When the backtest runs
      Then the fills are
        | bar | side | quantity | price  | fee  | reason |
        | 1   | buy  | 2        | 4006   | 4.5  |        |
        | 3   | sell | 1        | 4025   | 2.25 |        |
        | 5   | sell | 1        | 4010.5 | 0    | expiry |
      And the account at each close is:
        | date       | cash     | equity   |
        | 2024-03-11 | 30000    | 30000    |
        | 2024-03-12 | 29995.5  | 31195.5  |
        | 2024-03-13 | 29995.5  | 31920.5  |
        | 2024-03-14 | 30943.25 | 30743.25 |
        | 2024-03-15 | 30943.25 | 31168.25 |
        | 2024-03-18 | 31168.25 | 31168.25 |
      And the profits and all cash explain the equity, to the last decimal
      And these orders end without filling
        | bar | order | code             |
        | 1   |       | buying_power     |
        | 5   |       | contract_expired |
      And the order is refused, saying "ES has expired: its last trading day was 2024-03-15."

    # A seller gains what a buyer loses: 50 × (4006 − 4002) = 200.
    Scenario: A contract is sold short without a borrow fee
      Given a borrow fee of 10% a year
      And the trader places:
        | date       | action | quantity |
        | 2024-03-11 | sell   | 1        |
      When the backtest runs
      Then no cash is paid or received beside the trades
      And the account at each close is:
        | date       | cash     | equity   |
        | 2024-03-11 | 30000    | 30000    |
        | 2024-03-12 | 29997.75 | 29397.75 |
        | 2024-03-13 | 29997.75 | 29035.25 |
        | 2024-03-14 | 29997.75 | 30197.75 |
        | 2024-03-15 | 29997.75 | 29772.75 |
        | 2024-03-18 | 29772.75 | 29772.75 |

    # Half of 30000 is worth less than one contract of 4006 × 50; 14 times 30000 = 420000 is two of them.
    Scenario: A share of the equity is measured against the value of the contracts
      Given the trader places:
        | date       | action | equityFraction |
        | 2024-03-11 | buy    | 0.5            |
        | 2024-03-12 | buy    | 14             |
      When the backtest runs
      Then the fills are
        | bar | side | quantity | price  | requested | reason |
        | 2   | buy  | 2        | 4018   |           |        |
        | 5   | sell | 2        | 4010.5 |           | expiry |
      And these orders end without filling
        | bar | order | code      |
        | 1   | #1    | below_lot |

  # Two contracts require 22000. At 3845.75 the equity is 30000 − 2 × 50 × 80 = 22000, and at 3845.50 it is 21975.
  Rule: Maintenance margin of contracts

    Background:
      Given 30000 in cash
      And these instruments:
        | symbol | multiplier | margin | maintenance_margin |
        | ES     | 50         | 12000  | 11000              |

    Scenario: Equity below the maintenance margin is liquidated at the next open, equity at the margin is not
      Given these bars of ES:
        | date       | open   | high   | low    | close   | volume |
        | 2024-03-11 | 4000   | 4000   | 4000   | 4000    | 1000   |
        | 2024-03-12 | 3925.75 | 3926  | 3840   | 3845.75 | 1000   |
        | 2024-03-13 | 3845   | 3850   | 3840   | 3845.50 | 1000   |
        | 2024-03-14 | 3850   | 3860   | 3840   | 3860    | 1000   |
      And the trader places:
        | date       | action | quantity |
        | 2024-03-11 | buy    | 2        |
      When the backtest runs
      Then the fills are
        | bar | side | quantity | price   | reason      |
        | 1   | buy  | 2        | 3925.75 |             |
        | 3   | sell | 2        | 3850    | liquidation |
      And the final equity is 22425

    Scenario: The default maintenance margin is half of the margin
      Given these instruments:
        | symbol | multiplier | margin |
        | ES     | 50         | 12000  |
      And these bars of ES:
        | date       | open | high | low  | close | volume |
        | 2024-03-11 | 4000 | 4000 | 4000 | 4000  | 1000   |
        | 2024-03-12 | 4000 | 4000 | 3600 | 3640  | 1000   |
        | 2024-03-13 | 3630 | 3640 | 3600 | 3619  | 1000   |
        | 2024-03-14 | 3650 | 3660 | 3640 | 3650  | 1000   |
      And the trader places:
        | date       | action | quantity |
        | 2024-03-11 | buy    | 1        |
      When the backtest runs
      Then at the end the position is 1

  Rule: Contracts that are paid in full, and terms of single symbols

    # 3 × 2.50 × 100 = 750 and 1 % of it; a fourth would be 1000 and its commission.
    Scenario: An option on 100 shares costs a hundred times its price
      Given 1000 in cash
      And a commission of 1%
      And these instruments:
        | symbol | multiplier |
        | CALL   | 100        |
      And these bars of CALL:
        | date       | open | high | low  | close | volume |
        | 2024-03-11 | 2.50 | 2.50 | 2.50 | 2.50  | 1000   |
        | 2024-03-12 | 2.50 | 2.50 | 2.50 | 2.50  | 1000   |
        | 2024-03-13 | 2.75 | 3.00 | 2.75 | 3.00  | 1000   |
      And the trader places:
        | date       | action | quantity |
        | 2024-03-11 | buy    | 4        |
        | 2024-03-11 | buy    | 3        |
      When the backtest runs
      Then the account at each close is:
        | date       | cash  | equity |
        | 2024-03-11 | 1000  | 1000   |
        | 2024-03-12 | 242.5 | 992.5  |
        | 2024-03-13 | 242.5 | 1142.5 |
      And these orders end without filling
        | bar | order | code         |
        | 0   |       | buying_power |
      And the order is refused, saying "At most 3 would be accepted."

    Scenario: Orders rest outside the hours of an instrument
      Given these instruments:
        | symbol | hours       | timezone         |
        | ACME   | 09:30-16:00 | America/New_York |
      And the candles
        | bar | time             | open | high | low | close |
        | 0   | 2024-03-11T13:00 | 100  | 101  | 99  | 100   |
        | 1   | 2024-03-11T13:15 | 101  | 102  | 90  | 101   |
        | 2   | 2024-03-11T13:30 | 102  | 103  | 95  | 102   |
        | 3   | 2024-03-11T19:45 | 103  | 104  | 94  | 103   |
        | 4   | 2024-03-11T20:00 | 104  | 105  | 80  | 104   |
        | 5   | 2024-03-12T13:30 | 104  | 105  | 90  | 104   |
      When these orders are placed
        | bar | order             |
        | 0   | buy 1             |
        | 0   | buy 1 limit 93    |
      Then the fills are
        | bar | side | quantity | price |
        | 2   | buy  | 1        | 102   |
        | 5   | buy  | 1        | 93    |

    Scenario: Hours for daily bars are refused
      Given these instruments:
        | symbol | hours       |
        | ACME   | 09:30-16:00 |
      And the candles
        | bar | open | high | low | close |
        | 0   | 100  | 101  | 99  | 100   |
        | 1   | 100  | 101  | 99  | 100   |
      Then the run is refused, saying "instruments.ACME.hours: hours require bars shorter than a day"

  Rule: Instruments from a file

    Background:
      Given the file "es.csv":
        """
        date,open,high,low,close,volume
        2024-03-11,4000,4010,3995,4005,1000
        2024-03-12,4006,4020,4000,4018,1000
        2024-03-13,4018,4030,4012,4025.25,1000
        2024-03-14,4025,4028,4001,4002,1000
        2024-03-15,4003,4012,3990,4010.50,1000
        2024-03-18,4011,4020,4008,4015,1000
        """
      And the file "orders.json":
        """
        {"cash": 30000, "orders": [
          {"bar": 0, "side": "buy", "units": 2},
          {"bar": 2, "side": "sell", "units": 1}]}
        """
      And the file "instruments.csv":
        """
        symbol,multiplier,tick,tick_value,margin,maintenance_margin,commission,expiry
        ES,50,0.25,12.50,12000,11000,per-share:perShare=2.25,2024-03-15
        """

    # The same numbers as in the first scenario.
    Scenario: A run reads the file, and its record replays without it
      When the trader runs `sandtable run orders.json --data es.csv --symbol ES --instruments instruments.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | finalEquity    | 31168.25 |
        | commissionPaid | 6.75     |
      And the file "instruments.csv" is removed
      When the trader replays the run
      Then it ends with exit code 0

    # Two contracts of 20000 do not fit; the one sold at 4025 does: 50 × 14.50 − 2.25 = 722.75.
    Scenario: A flag wins over the file, field by field
      When the trader runs `sandtable run orders.json --data es.csv --instruments instruments.csv --instrument ES:margin=20000,maintenanceMargin=0 --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | finalEquity | 30722.75 |

    # Two contracts bought and one sold, each a quarter of a point worse: 3 × 0.25 × 50. The settlement has no slippage.
    Scenario: Slippage is multiplied by the contract's multiplier
      When the trader runs `sandtable run orders.json --data es.csv --instruments instruments.csv --slippage-model fixed:amount=0.25 --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | slippagePaid | 37.5     |
        | finalEquity  | 31130.75 |

    Scenario: A JSON file gives the same result
      Given the file "instruments.json":
        """
        {"ES": {"multiplier": 50, "margin": 12000, "expiry": "2024-03-15",
          "commission": {"model": "per-share", "perShare": 2.25}}}
        """
      When the trader runs `sandtable run orders.json --data es.csv --instruments instruments.json --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | finalEquity | 31168.25 |

    Scenario: All faults of the file are reported together, with their lines
      Given the file "instruments.csv":
        """
        symbol,multiplier,tick,tick_value,commission
        ES,-50,0.25,,
        NQ,20,0.25,6,foo:3
        ES,50,0.25,12.5,0.01
        """
      When the trader runs `sandtable run orders.json --data es.csv --instruments instruments.csv --out runs`
      Then it ends with exit code 2
      And stderr says "instruments.csv line 2 multiplier: -50 is below the minimum"
      And stderr says 'instruments.csv line 3 commission: invalid model "foo". Expected rate, fixed, per-share, tiered, maker-taker'
      And stderr says "instruments.csv line 3 tickValue: is 6, but tick × multiplier is 0.25 × 20 = 5"
      And stderr says "instruments.csv line 4: duplicate symbol ES"
      And no run folder is left

    Scenario: Unknown columns and symbols are named
      Given the file "columns.csv":
        """
        symbol,multiplyer
        ES,50
        """
      When the trader runs `sandtable run orders.json --data es.csv --instruments columns.csv --out runs`
      Then it ends with exit code 2
      And stderr says 'columns.csv: unknown column "multiplyer" (did you mean "multiplier"?'
      Given the file "symbols.csv":
        """
        symbol,multiplier
        EZ,50
        """
      When the trader runs `sandtable run orders.json --data es.csv --instruments symbols.csv --out runs`
      Then it ends with exit code 2
      And stderr says "symbols.csv: the data contain no symbol of this file: EZ"
      Given the file "some.csv":
        """
        symbol,multiplier
        ES,50
        EZ,50
        """
      When the trader runs `sandtable run orders.json --data es.csv --instruments some.csv --out runs --quiet`
      Then it ends with exit code 0
      And stderr says "some.csv: ignored EZ (did you mean ES?), not in the data"

    Scenario: Instruments give the same trades behind a mask, in a sweep and in tool calls
      Given the file "prices.csv" with 300 simulated bars
      And the file "terms.csv":
        """
        symbol,multiplier,tick,margin,commission,first_trade,expiry
        PRICES,50,0.05,900,fixed:amount=2,2000-02-01,2000-10-02
        """
      When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --instruments terms.csv --param fast=5 slow=20 --out runs --quiet`
      Then it ends with exit code 0
      When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --instruments terms.csv --param fast=5 slow=20 --mask symbols,dates --seed 3 --out runs --quiet`
      Then it ends with exit code 0
      And both runs made the same trades, and their equity is never 0.1 % apart
      When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --instruments terms.csv --param fast=5 slow=20,30 --out swept --json`
      Then it ends with exit code 0
      When the trader runs `sandtable tools call trade_execute '{"action": "buy", "quantity": 1}' --data prices.csv --instruments terms.csv --bar 250`
      Then stdout says "contract_expired"
      When the trader runs `sandtable tools call account_status --data prices.csv --instruments terms.csv --bar 100`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | contracts | {"PRICES":{"multiplier":50,"margin":900}} |
