Feature: Outcomes of a bar with the same equity
  If paths differ and the equity is the same, the smaller position is booked, then the fills of older orders, then the
  outcome in which more stops were touched.

  Background:
    Given 100000 in cash

  Scenario: The smaller position is booked
    # At the close of 100 the short of 20 from 95 and the long of 10 from 110 are both down 100.
    Given a bar that opens at 100, rises to 111, falls to 94 and closes at 100
    When "sell 20 stop 95 group breakout" and "buy 10 stop 110 group breakout" meet it
    Then the fills are
      | bar | order | side | quantity | price | stamp     | if other |
      | 1   | #2    | buy  | 10       | 110   | ambiguous | +0       |

  Scenario: With positions of the same size, the older sell order is booked
    Given a bar that opens at 100, rises to 106, falls to 94 and closes at 100
    When "sell 10 stop 95 group breakout" and "buy 10 stop 105 group breakout" meet it
    Then the fills are
      | bar | order | side | quantity | price | stamp     | if other |
      | 1   | #1    | sell | 10       | 95    | ambiguous | +0       |

  Scenario: With positions of the same size, the older buy order is booked
    Given a bar that opens at 100, rises to 106, falls to 94 and closes at 100
    When "buy 10 stop 105 group breakout" and "sell 10 stop 95 group breakout" meet it
    Then the fills are
      | bar | order | side | quantity | price | stamp     | if other |
      | 1   | #1    | buy  | 10       | 105   | ambiguous | +0       |

  Scenario: Fills on every path are booked in the order of placement: the stop first
    Given a bar that opens at 100, rises to 106, falls to 94 and closes at 100
    When "buy 10 stop 105" and "buy 20 limit 95" meet it
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 105   |
      | 1   | #2    | buy  | 20       | 95    |
    And bar 1 is proved

  Scenario: Fills on every path are booked in the order of placement: the limit first
    Given a bar that opens at 100, rises to 106, falls to 94 and closes at 100
    When "buy 20 limit 95" and "buy 10 stop 105" meet it
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 20       | 95    |
      | 1   | #2    | buy  | 10       | 105   |
    And bar 1 is proved

  Scenario: With the same fills, the outcome with a touched stop is booked
    # Half of 20 units are bought at 105 and use up the bar's volume. If the low comes afterwards, the stop loss is touched.
    Given fills may take 50% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 1000   |
      | 1   | 100  | 106  | 94  | 104   | 20     |
      | 2   | 103  | 104  | 102 | 103   | 1000   |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 stop 105 stop-loss 95 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 105   |           |
      | 2   | sell | 10       | 103   | stop-loss |
