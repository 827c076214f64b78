Feature: Bars with two possible outcomes
  A bar may reach both exits, or both orders of a group, without showing which came first. The worse order fills. The
  fill is marked, with the gain of the other outcome at that bar's close.

  Background:
    Given 10000 in cash

  Scenario: If a bar reaches a long's stop loss and take profit, the stop loss fills
    # The take profit would have brought (105 − 95) × 10 more.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 101  | 106  | 94  | 104   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |           |          |
      | 2   | sell | 10       | 95    | stop-loss | ambiguous | +100     |

  Scenario: If a bar reaches a short's stop loss and take profit, the stop loss fills
    # The take profit would have brought (106 − 96) × 10 more.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 101  | 107  | 94  | 95    |
    When these orders are placed
      | bar | order                                |
      | 0   | sell 10 stop-loss 106 take-profit 96 |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | sell | 10       | 100   |           |           |          |
      | 2   | buy  | 10       | 106   | stop-loss | ambiguous | +100     |

  Scenario: If the bar of the entry reaches both exits, the stop loss fills
    # (104 − 97) × 10 = 70.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 105  | 95  | 103   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 97 take-profit 104 |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |           |          |
      | 1   | sell | 10       | 97    | stop-loss | ambiguous | +70      |

  Scenario: Touching both exits makes a fill ambiguous
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 101  | 105  | 95  | 101   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |           |          |
      | 2   | sell | 10       | 95    | stop-loss | ambiguous | +100     |

  Scenario: An open beyond the take profit fills it, even if the low reaches the stop loss
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 107  | 108  | 94  | 96    |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason      | stamp |
      | 1   | buy  | 10       | 100   |             |       |
      | 2   | sell | 10       | 107   | take-profit |       |

  Scenario: An open beyond the stop loss fills it, even if the high reaches the take profit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 93   | 108  | 92  | 107   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp |
      | 1   | buy  | 10       | 100   |           |       |
      | 2   | sell | 10       | 93    | stop-loss |       |

  Scenario: A bar that reaches only one of the exits is not ambiguous
    Given the candles
      | bar | open | high | low   | close |
      | 0   | 100  | 101  | 99    | 100   |
      | 1   | 100  | 102  | 98    | 101   |
      | 2   | 101  | 106  | 95.01 | 104   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason      | stamp |
      | 1   | buy  | 10       | 100   |             |       |
      | 2   | sell | 10       | 105   | take-profit |       |

  Scenario: If a bar reaches both stops of a straddle and closes high, the short fills
    # At the close of 101 the long from 105 is down 4 a unit, the short from 95 down 6.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 106  | 94  | 101   |
    When these orders are placed
      | bar | order                          |
      | 0   | buy 10 stop 105 group breakout |
      | 0   | sell 10 stop 95 group breakout |
    Then the fills are
      | bar | order | side | quantity | price | stamp     | if other |
      | 1   | #2    | sell | 10       | 95    | ambiguous | +20      |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #1    | one_cancels_other |

  Scenario: If a bar reaches both stops of a straddle and closes low, the long fills
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 106  | 94  | 98    |
    When these orders are placed
      | bar | order                          |
      | 0   | buy 10 stop 105 group breakout |
      | 0   | sell 10 stop 95 group breakout |
    Then the fills are
      | bar | order | side | quantity | price | stamp     | if other |
      | 1   | #1    | buy  | 10       | 105   | ambiguous | +40      |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #2    | one_cancels_other |

  Scenario: Exits in a group of separate orders are resolved like a bracket
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 101  | 106  | 94  | 104   |
    When these orders are placed
      | bar | order                         |
      | 0   | buy 10                        |
      | 1   | sell 10 limit 105 group exits |
      | 1   | sell 10 stop 95 group exits   |
    Then the fills are
      | bar | order | side | quantity | price | stamp     | if other |
      | 1   | #1    | buy  | 10       | 100   |           |          |
      | 2   | #3    | sell | 10       | 95    | ambiguous | +100     |
    And these orders end without filling
      | bar | order | code              |
      | 2   | #2    | one_cancels_other |
