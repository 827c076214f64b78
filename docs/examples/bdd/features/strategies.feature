Feature: What a strategy is worth, after costs

  Background:
    Given the data "prices.csv"
    And a commission of 0.1% of each fill
    And slippage of 5 basis points

  Scenario: A strategy within its bounds
    Given the strategy "strategies/buy-and-hold.ts"
    And initial cash of 50,000
    When the backtest runs
    Then the Sharpe ratio is above 0.3
    And the total return is between 10% and 15%
    And the max drawdown stays within 20%
    And the exposure is at least 99%
    And the costs are below 100
    And the number of fills is 1
    And the number of open trades is 1
    And the profit factor is not defined
    And these trades are open at the end:
      | side | entry date |
      | long | 2000-01-04 |

  Scenario: Strategies against each other, and against doing nothing
    Given the strategy "strategies/sma-cross.ts" with parameter fast 5
    When the backtest runs as "fast"
    Given the strategy "strategies/sma-cross.ts" with parameters:
      | fast | 20 |
      | slow | 60 |
    And its parameter slow is 50
    When the backtest runs as "slow"
    Given the strategy "strategies/buy-and-hold.ts"
    When the backtest runs
    Then the number of trades of "fast" is at least 10
    And the win rate of "fast" is 20% to within 10%
    And strategy "fast" beats "slow" in total return
    And strategy buy-and-hold beats "fast" in total return by at least 5%
    And strategy buy-and-hold beats "fast" in max drawdown

  Scenario: More than luck, and more than doing nothing
    Given the strategy "strategies/foresight.ts"
    When the backtest runs
    And the strategy "strategies/sma-cross.ts"
    When the backtest runs
    Then at least 10 trades are closed
    And strategy foresight beats buying and holding
    And strategy foresight beats sma-cross beyond chance in mean return

  Scenario: What costs take away
    Given the strategy "strategies/sma-cross.ts"
    When the backtest runs as "dear"
    Given a commission of 0% of each fill
    And slippage of 0 basis points
    When the backtest runs as "free"
    Then strategy "free" beats "dear" in total return, whatever their terms
