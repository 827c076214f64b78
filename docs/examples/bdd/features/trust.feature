Feature: Runs that can be believed

  Scenario: A run comes out the same again
    Given the data "prices.csv"
    And the strategy "strategies/sma-cross.ts"
    And the settings file "settings.json"
    And the runs are kept in "reports"
    When the backtest runs
    Then the run repeats byte for byte
    And the verdict is "no evidence"

  Scenario: A run that is there already
    Given the run "kept/two-orders"
    Then the run is sealed
    And the number of trades is 1
    Given the report "kept/two-orders" as "the first"
    Then the final equity of "the first" is exactly 10,022.8553

  Scenario: A strategy that fails is reported, not counted
    Given the data "prices.csv"
    And the strategy "strategies/breaks.ts"
    When the backtest runs, however it ends
    Then the run ended failed
    And the number of bars is exactly 9

  Scenario: Input that is no good is refused
    Given the data "no-such-prices.csv"
    And the strategy "strategies/sma-cross.ts"
    When the backtest runs, however it ends
    Then the backtest is refused, saying "no-such-prices.csv"
