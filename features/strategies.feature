Feature: The strategies that come with Sandtable
  Each shows one way of trading on a page. They are examples, and no claim that the idea earns money.

  Scenario: rsi-reversion buys falls and sells recoveries
    When the strategy rsi-reversion trades data/spx-daily.csv
    Then at least 50 trades are closed
    And all its trades are long
    And its trades end for these reasons, at least so often:
      | reason    | times |
      | recovered | 50    |
      | patience  | 1     |

  Scenario: bracket-atr leaves by its bracket and by nothing else
    When the strategy bracket-atr trades data/spx-daily.csv
    Then at least 50 trades are closed
    And all its trades are long
    And its trades end for these reasons, at least so often:
      | reason      | times |
      | stop-loss   | 20    |
      | take-profit | 20    |
    And every stop-loss costs money and every take-profit brings some

  Scenario: bollinger-limit rests limits, some of which nobody reaches
    When the strategy bollinger-limit trades data/spx-daily.csv
    Then at least 50 trades are closed
    And all its trades are long
    And some of its orders expire
    And its trades end for these reasons, at least so often:
      | reason      | times |
      | stop-loss   | 10    |
      | take-profit | 50    |
    And every stop-loss costs money and every take-profit brings some

  Scenario: trend-trailing leaves by its trailing stop alone
    When the strategy trend-trailing trades data/spx-daily.csv
    Then at least 10 trades are closed
    And all its trades are long
    And its trades end for these reasons, at least so often:
      | reason        | times |
      | trailing stop | 10    |

  @python
  Scenario: pairs is long one symbol and short the other
    When the strategy pairs trades data/simulated-pair
    Then at least 20 trades are closed
    And every long of one symbol is entered with a short of the other
    And its trades end for these reasons, at least so often:
      | reason         | times |
      | together again | 20    |

  Scenario: inverse-volatility holds all symbols and changes their weights once a month
    When the strategy inverse-volatility trades data/simulated-five
    Then at least 10 trades are closed
    And all its trades are long
    And it trades in at most one bar a month
    And its trades end for these reasons, at least so often:
      | reason    | times |
      | rebalance | 10    |

  Scenario: rotation holds the strongest and changes them once a month
    When the strategy rotation trades data/simulated-five
    Then at least 10 trades are closed
    And all its trades are long
    And at every close it holds at most 2 symbols
    And it trades in at most one bar a month
    And its trades end for these reasons, at least so often:
      | reason     | times |
      | overtaken  | 5     |
      | rebalanced | 5     |
