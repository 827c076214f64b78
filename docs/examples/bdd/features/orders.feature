Feature: A list of orders does what it says
  Small enough to be worked out by hand: ten units bought at the open of one bar and sold at the open of another, at a
  commission of 0.1 %.

  Scenario: Every trade, fill and close, and the money to the last decimal
    Given the data "prices.csv"
    And the bars from "2000-01-03" to "2000-01-14"
    And the strategy "strategies/two-orders.json"
    When the backtest runs
    Then these fills happen:
      | date       | side | quantity | price  | commission |
      | 2000-01-06 | buy  | 10       | 100.99 | 1.0099     |
      | 2000-01-12 | sell | 10       | 103.48 | 1.0348     |
    And trade 1 is:
      | side | entry date | entry  | exit date  | exit   | gross | commission | net     |
      | long | 2000-01-06 | 100.99 | 2000-01-12 | 103.48 | 24.90 | 2.0447     | 22.8553 |
    And these trades are closed:
      | symbol | quantity | net     | exit reason |
      | PRICES | 10       | 22.8553 | market      |
    And no trade is open at the end
    And the number of trades is 1
    And the final equity is 10,022.8553
    And the final equity is 10,022.86 to the cent
    And the equity on 2000-01-03 is 10,000
    And the costs are exactly 2.0447
    And no fill is ambiguous
    And no order is refused

  Scenario: What the strategy asks for and may not have
    Given the data "prices.csv"
    And the strategy "strategies/sma-cross.ts"
    And these settings:
      | leverage | 1   |
      | no short | yes |
    When the backtest runs
    Then every trade is long
    And an order is refused as short_not_allowed
    And an order is refused, saying "short"

  Scenario: A market that is never entered
    Given the data "prices.csv"
    And the bars from "2000-01-03" to "2000-01-10"
    And the strategy "strategies/sma-cross.ts"
    And initial cash of 50,000
    When the backtest runs
    Then nothing is filled
    And no trade is closed
    And the win rate is not defined
    And the account at each close is:
      | date       | cash  | equity |
      | 2000-01-03 | 50000 | 50000  |
      | 2000-01-04 | 50000 | 50000  |
      | 2000-01-05 | 50000 | 50000  |
      | 2000-01-06 | 50000 | 50000  |
      | 2000-01-07 | 50000 | 50000  |
      | 2000-01-10 | 50000 | 50000  |
