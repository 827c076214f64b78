Feature: What a feature says that does not hold

  Background:
    Given the data "prices.csv"
    And a commission of 0.1% of each fill
    And the strategy "strategies/sma-cross.ts"

  Scenario: A bound that is missed
    When the backtest runs
    Then the Sharpe ratio is above 0.5

  Scenario: A figure that the run does not have
    Given the strategy "strategies/buy-and-hold.ts"
    When the backtest runs
    Then the win rate is at least 0%

  Scenario: A figure that there is not
    When the backtest runs
    Then the sharp ratio is above 0.5

  Scenario: A share without its sign
    When the backtest runs
    Then the total return is above 5

  Scenario: A drawdown that could not be deeper
    When the backtest runs
    Then the max drawdown is above -20%

  Scenario: Strategies the wrong way round
    When the backtest runs
    Given the strategy "strategies/buy-and-hold.ts"
    When the backtest runs
    Then strategy sma-cross beats buy-and-hold in total return

  Scenario: Other terms
    When the backtest runs as "dear"
    Given a commission of 0% of each fill
    When the backtest runs as "free"
    Then strategy "free" beats "dear" in total return

  Scenario: Another first trade
    When the backtest runs
    Then trade 1 is:
      | side  | entry date | entry  |
      | short | 2000-02-16 | 104.15 |

  Scenario: A strategy that fails
    Given the strategy "strategies/breaks.ts"
    When the backtest runs
    Then the number of trades is 0

  Scenario: A failure that nobody asked for
    Given the strategy "strategies/breaks.ts"
    When the backtest runs, however it ends
    Then the number of trades is 0

  Scenario: Data that are not there
    Given the data "no-such-prices.csv"
    When the backtest runs
    Then the number of trades is 0
