Feature: Gaps
  Orders beyond the open are decided at the open: the price never trades between the previous close and the open.

  Background:
    Given 10000 in cash

  Scenario: A gap below a buy limit and its stop loss fills both at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 92   | 96   | 91  | 95    |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 limit 97 stop-loss 94 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 92    |           |
      | 1   | sell | 10       | 92    | stop-loss |

  Scenario: A gap above a buy stop and its take profit fills both at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 108  | 112  | 107 | 111   |
    When these orders are placed
      | bar | order                           |
      | 0   | buy 10 stop 103 take-profit 106 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 108   |             |
      | 1   | sell | 10       | 108   | take-profit |

  Scenario: After a gap through a stop loss, a close at the same open has no position to close
    # The stop loss is the older order.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 98  | 99    |
      | 2   | 90   | 92   | 89  | 91    |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 stop-loss 95 |
      | 1   | close               |
    Then the fills are
      | bar | order | side | quantity | price | reason    |
      | 1   | #1    | buy  | 10       | 100   |           |
      | 2   | #2    | sell | 10       | 90    | stop-loss |
    And these orders end without filling
      | bar | order | code             |
      | 2   | #3    | nothing_to_close |

  Scenario: A gap that makes a stop unaffordable is refused with the largest acceptable quantity
    # 95 × 100 is affordable at the close; at the open of 110 only 10000 / 110 = 90.9 units are.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 110  | 112  | 109 | 111   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 95 stop 105 |
    Then nothing fills
    And the order is refused, saying "At most 90 would have filled."
    And these orders end without filling
      | bar | order | code         |
      | 1   | #1    | buying_power |

  Scenario: A gap over a whole ladder of limits fills all of them at the open, oldest first
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 90   | 93   | 89  | 92    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 5 limit 98 |
      | 0   | buy 5 limit 96 |
      | 0   | buy 5 limit 88 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 5        | 90    |
      | 1   | #2    | buy  | 5        | 90    |
    And at the end these orders rest: #3
