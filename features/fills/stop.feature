Feature: Stop orders
  A buy stop fills when the high reaches it, at the stop or at a worse open; a sell stop mirrors it.

  Background:
    Given 10000 in cash

  Scenario: A buy stop fills at its stop when the high reaches it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 104  | 99  | 103   |
      | 2   | 103  | 107  | 102 | 106   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 stop 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 105   |

  Scenario: A high that touches the stop fills it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 105  | 99  | 101   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 stop 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 105   |

  Scenario: A bar that opens above a buy stop fills it at the worse open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 108  | 110  | 104 | 105   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 stop 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 108   |

  Scenario: A sell stop protects a position at its stop
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 101  | 101  | 94  | 96    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 stop 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 10       | 95    |

  Scenario: A bar that opens below a sell stop fills it at the worse open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 90   | 97   | 88  | 96    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 1   | sell 10 stop 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 10       | 90    |

  Scenario: A stop that the price has already passed fills at the next open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 101  | 102  | 100 | 101   |
    When these orders are placed
      | bar | order          |
      | 0   | buy 10 stop 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 101   |

  Scenario: A sell stop opens a short on a breakdown
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 100  | 96  | 97    |
    When these orders are placed
      | bar | order           |
      | 0   | sell 10 stop 98 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 98    |
    And at the end the position is -10

  Scenario: Two stops on both sides of the price can fill in one bar if they are not in one group
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 106  | 94  | 101   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 stop 105 |
      | 0   | sell 10 stop 95 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 105   |
      | 1   | #2    | sell | 10       | 95    |
    And the final equity is 9900
