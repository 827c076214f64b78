Feature: Market-on-close orders
  A market-on-close order fills at the close of the next bar.

  Background:
    Given 10000 in cash

  Scenario: A buy fills at the close of the next bar
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 103  | 106  | 102 | 105   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 on close |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 105   |

  Scenario: One bar opens a position at the open and closes it at the close
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 103  | 106  | 102 | 105   |
    When these orders are placed
      | bar | order            |
      | 0   | buy 10           |
      | 0   | sell 10 on close |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 103   |
      | 1   | sell | 10       | 105   |
    And the final equity is 10020

  Scenario: A close order on close closes the rest of the position
    # The limit sells 4 of the 10 inside the bar.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 103  | 106  | 102 | 104   |
    When these orders are placed
      | bar | order            |
      | 0   | buy 10           |
      | 1   | close on close   |
      | 1   | sell 4 limit 106 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 4        | 106   |
      | 2   | sell | 6        | 104   |

  Scenario: A bracket created at the close is live from the next bar only
    # Bar 1's low of 95 was before the entry. Bar 2 opens above the stop loss and reaches it.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 100  | 104  | 95  | 103   |
      | 2   | 102  | 103  | 97  | 98    |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 on close stop-loss 98 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 103   |           |
      | 2   | sell | 10       | 98    | stop-loss |

  Scenario: Slippage at the close stays within the bar
    # 5 % of 105 would be 110.25; the high is 106.
    Given slippage of 500 basis points
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 103  | 106  | 102 | 105   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 on close |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 106   |
