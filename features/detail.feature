Feature: Finer bars
  One bar shows how far the price went, but not its path. Finer bars of the same symbol show the path and decide the
  outcomes that the bar leaves open. Strategies do not see them. See docs/fill-rules.md and docs/data.md.

  Background:
    Given 10000 in cash
    And these bars of ACME:
      | date       | open | high | low | close | volume |
      | 2020-01-06 | 100  | 101  | 99  | 100   | 1000   |
      | 2020-01-07 | 100  | 112  | 94  | 101   | 1000   |
      | 2020-01-08 | 101  | 102  | 100 | 101   | 1000   |
    And the trader orders with a stop loss of 95 and a take profit of 110:
      | date       | action | quantity |
      | 2020-01-06 | buy    | 10       |

  Scenario: Without finer bars the worse outcome is booked, and both are reported
    When the backtest runs
    Then these fills are ambiguous:
      | date       | side | price | gainIfOther |
      | 2020-01-07 | sell | 95    | 150         |
    And the final equity is 9950, and 10100 with the better answers

  Scenario: Finer bars show that the take profit was reached first
    Given these finer bars of ACME:
      | date             | open | high | low | close | volume |
      | 2020-01-07T10:00 | 100  | 112  | 99  | 111   | 500    |
      | 2020-01-07T14:00 | 111  | 111  | 94  | 101   | 500    |
    When the backtest runs
    Then these fills happen:
      | date       | side | price | detailTime          |
      | 2020-01-07 | buy  | 100   |                     |
      | 2020-01-07 | sell | 110   | 2020-01-07T10:00:00 |
    And no fill is ambiguous
    And the final equity is 10100

  Scenario: An outcome that finer bars leave open stays the worse one
    Given these finer bars of ACME:
      | date             | open | high | low | close | volume |
      | 2020-01-07T10:00 | 100  | 101  | 99  | 100   | 500    |
      | 2020-01-07T14:00 | 100  | 112  | 94  | 101   | 500    |
    When the backtest runs
    Then these fills are ambiguous:
      | date       | side | price | detailTime          |
      | 2020-01-07 | sell | 95    | 2020-01-07T14:00:00 |

  @spawn
  Scenario: --detail decides ambiguous fills, and the manifest contains the hash of its file
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,100,101,99,100,1000
      2020-01-07,100,112,94,101,1000
      2020-01-08,101,102,100,101,1000
      """
    And the file "acme-hours.csv":
      """
      time,open,high,low,close,volume
      2020-01-07 10:00,100,112,99,111,500
      2020-01-07 14:00,111,111,94,101,500
      """
    And the file "orders.json":
      """
      { "cash": 10000, "orders": [{ "bar": 0, "side": "buy", "units": 10, "stopLoss": 95, "takeProfit": 110 }] }
      """
    When the trader runs `sandtable run orders.json --data acme.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | finalEquity         | 9950  |
      | ambiguousFills      | 1     |
      | ambiguityDifference | 150 |
    When the trader runs `sandtable run orders.json --data acme.csv --detail acme-hours.csv --out settled --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | finalEquity         | 10100 |
      | ambiguousFills      | 0     |
      | ambiguityDifference | 0 |

  @spawn
  Scenario: Finer bars that contradict the bars are refused, with all faults together
    Given the file "acme.csv" with 20 simulated bars
    And the file "hours.csv":
      """
      time,open,high,low,close,volume
      2000-01-04 10:00,900,905,899,901,500
      2000-01-05 10:00,1,2,1,1,500
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data acme.csv --detail hours.csv --out runs`
    Then it ends with exit code 2
    And stderr says "The finer bars cannot be used: 2 faults"
    And stderr says "ACME 2000-01-04T10:00:00: high 905 is above"
    And stderr says "ACME 2000-01-05T10:00:00: low 1 is below"
    And there is no stack trace

  @spawn
  Scenario: Faults of bars and of finer bars are reported together
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,100,90,99,100,1000
      """
    And the file "hours.csv":
      """
      time,open,high,low,close
      2020-01-07 10:00,100,112,99,111
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data acme.csv --detail hours.csv missing.csv --out runs`
    Then it ends with exit code 2
    And stderr says "acme.csv line 2: high 90 is below"
    And stderr says "hours.csv: no column "
    And stderr says "missing.csv"

  @spawn
  Scenario: A spread column of the data sets the slippage
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume,Spread
      2020-01-06,100,101,99,100,1000,0.1
      2020-01-07,100,112,94,101,1000,0.5
      2020-01-08,101,102,100,101,1000,0.1
      """
    And the file "orders.json":
      """
      { "cash": 10000, "orders": [{ "bar": 0, "side": "buy", "units": 10 }, { "bar": 1, "side": "close" }] }
      """
    When the trader runs `sandtable run orders.json --data acme.csv --slippage-model spread:column=spread --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | slippagePaid | 3    |
      | finalEquity  | 10007 |
    When the trader runs `sandtable run orders.json --data acme.csv --slippage-model spread:column=spred --out runs`
    Then it ends with exit code 2
    And stderr says "no column \"spred\", which the settings require; did you mean \"Spread\"?"

  Scenario: Fills at the close carry a warning
    Given market orders fill at the close they are decided on
    When the backtest runs
    Then the run is stamped "same-bar fills"

  @spawn @deep
  Scenario: A run reports both outcomes of its ambiguous bars side by side
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,100,101,99,100,1000
      2020-01-07,100,112,94,101,1000
      2020-01-08,101,102,100,101,1000
      """
    And the file "orders.json":
      """
      { "cash": 10000, "orders": [{ "bar": 0, "side": "buy", "units": 10, "stopLoss": 95, "takeProfit": 110 }] }
      """
    When the trader runs `sandtable run orders.json --data acme.csv --resolve best --out one --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | finalEquity         | 10100 |
      | ambiguousBars       | 1     |
      | ambiguityDifference | 150   |
    When the trader runs `sandtable run orders.json --data acme.csv --resolve both --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "Either answer"
    And stdout says "9,950.00"
    And stdout says "10,100.00"
