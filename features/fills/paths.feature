Feature: All possible paths within a bar
  A bar proves that the price moved from its open to its close within its low and high, touched both, and passed every
  price in between. A fill on all paths is proved. If paths differ, the outcome with the lowest equity at the close is
  booked, and fills that are missing on some paths are marked ambiguous.

  Background:
    Given 100000 in cash

  Scenario: A dip fills a buy and then its stop loss
    Given a bar that opens at 100, rises to 101, falls to 85 and closes at 99
    When "buy 10 limit 95 stop-loss 90" meets it
    Then the fills are
      | bar | side | quantity | price | reason    | stamp |
      | 1   | buy  | 10       | 95    |           |       |
      | 1   | sell | 10       | 90    | stop-loss |       |
    And bar 1 is proved

  Scenario: A rise fills a buy and then its take profit
    Given a bar that opens at 100, rises to 112, falls to 99 and closes at 104
    When "buy 10 stop 105 take-profit 110" meets it
    Then the fills are
      | bar | side | quantity | price | reason      | stamp |
      | 1   | buy  | 10       | 105   |             |       |
      | 1   | sell | 10       | 110   | take-profit |       |
    And bar 1 is proved

  Scenario: If the low may come before or after the entry, the stop loss fills
    Given a bar that opens at 100, rises to 106, falls to 94 and closes at 104
    When "buy 10 stop 105 stop-loss 95" meets it
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 105   |           |           |          |
      | 1   | sell | 10       | 95    | stop-loss | ambiguous | +90      |
    And bar 1 leaves 99900 or 99990

  Scenario: If a bar reaches both exits after an entry, the stop loss fills
    Given a bar that opens at 100, rises to 112, falls to 94 and closes at 104
    When "buy 10 stop 105 stop-loss 95 take-profit 110" meets it
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 105   |           |           |          |
      | 1   | sell | 10       | 95    | stop-loss | ambiguous | +150     |
    And bar 1 leaves 99900 or 100050

  Scenario: If the high may come before the entry, the position stays open
    Given a bar that opens at 100, rises to 101, falls to 94 and closes at 97
    When "buy 10 limit 95 take-profit 98" meets it
    Then the fills are
      | bar | side | quantity | price | stamp |
      | 1   | buy  | 10       | 95    |       |
    And bar 1 leaves 100020 or 100030
    And the open position is ambiguous

  Scenario: After an entry at the open, a bar that reaches both exits fills the stop loss
    Given a bar that opens at 100, rises to 112, falls to 88 and closes at 100
    When "buy 10 stop-loss 90 take-profit 110" meets it
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |           |          |
      | 1   | sell | 10       | 90    | stop-loss | ambiguous | +200     |

  Scenario: A trailing stop that both paths reach is proved
    Given a bar that opens at 100, rises to 110, falls to 95 and closes at 96
    When "buy 10" and "sell 10 trail 10" meet it
    Then the fills are
      | bar | side | quantity | price | stamp |
      | 1   | buy  | 10       | 100   |       |
      | 1   | sell | 10       | 100   |       |
    And bar 1 is proved

  Scenario: A trailing stop that one of two paths reaches is ambiguous
    Given a bar that opens at 100, rises to 110, falls to 99 and closes at 108
    When "buy 10" and "sell 10 trail 10" meet it
    Then the fills are
      | bar | side | quantity | price | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |          |
      | 1   | sell | 10       | 100   | ambiguous | +80      |
    And the bounds of bar 1 are canonical

  Scenario: With the better outcome requested, the better outcome is booked
    Given every bar is resolved for the best
    And a bar that opens at 100, rises to 112, falls to 94 and closes at 104
    When "buy 10 stop 105 stop-loss 95 take-profit 110" meets it
    Then the fills are
      | bar | side | quantity | price | reason      | stamp     | if other |
      | 1   | buy  | 10       | 105   |             |           |          |
      | 1   | sell | 10       | 110   | take-profit | ambiguous | +150     |
    And bar 1 leaves 99900 or 100050

  Scenario: More than twelve prices are followed along three paths, and the bar is marked approximate
    Given a bar that opens at 100, rises to 120, falls to 80 and closes at 101
    When 13 buy limits from 99 down to 87 meet it
    Then 13 orders fill
    And the bounds of bar 1 are approximate

  Scenario: Up to twelve prices are searched completely
    Given a bar that opens at 100, rises to 120, falls to 80 and closes at 101
    When 12 buy limits from 99 down to 88 meet it
    Then 12 orders fill
    And bar 1 is proved

  Scenario: A reversal cancels the exits of the old position
    # 20 sold at 95 leave 10 short. The stop loss of the long at 90 is cancelled and buys nothing.
    Given a bar that opens at 100, rises to 101, falls to 85 and closes at 86
    When "buy 10 stop-loss 90" and "sell 20 stop 95" meet it
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 1   | sell | 20       | 95    |
    And bar 1 is proved
    And these orders end without filling
      | bar | order | code            |
      | 1   | #3    | position_closed |

  Scenario: A refusal on only some paths makes an ambiguous bar
    # Cash for one of the two. Up first, the stop uses the cash and the limit is refused; down first, the stop is refused.
    Given 1100 in cash
    And a bar that opens at 100, rises to 106, falls to 94 and closes at 103
    When "buy 10 limit 95" and "buy 10 stop 105" meet it
    Then the fills are
      | bar | side | quantity | price | stamp     | if other |
      | 1   | buy  | 10       | 105   | ambiguous | +100     |
    And bar 1 leaves 1080 or 1180
    And these orders end without filling
      | bar | order | code         |
      | 1   | #1    | buying_power |

  Scenario: Cash from an exit is available from the next bar on
    # All of the cash is in the position that is stopped at 95. The limit at 92 has no cash.
    Given 1000 in cash
    And a bar that opens at 100, rises to 101, falls to 90 and closes at 91
    When "buy 5 limit 92" and "buy 10 stop-loss 95" meet it
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 1   | sell | 10       | 95    |
    And these orders end without filling
      | bar | order | code         |
      | 1   | #1    | buying_power |

  Scenario: All fills along a path share the volume of the bar, and an exit covers the filled quantity
    # Half of 16 units: 8 of the 10 are bought, which leaves no volume for the stop loss. The stop stays touched for the next bar.
    Given fills may take 50% of the volume
    And a bar of volume 16 that opens at 100, rises to 101, falls to 85 and closes at 88
    When "buy 10 limit 95 stop-loss 90" meets it
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 8        | 95    |
    And at the end these orders rest: #1, #2

  Scenario: A share of the equity includes the profit earlier on the path
    # 50 bought at 100 are sold at 120 for 1000 more: 40 % of 11000 are 4400, at 130 33 units. 40 % of 10000 would be 30.
    Given 10000 in cash
    And a bar that opens at 100, rises to 131, falls to 99 and closes at 130
    When "buy 50 take-profit 120" and "buy 40% of equity stop 130" meet it
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 50       | 100   |
      | 1   | #3    | sell | 50       | 120   |
      | 1   | #2    | buy  | 33       | 130   |
    And bar 1 is proved

  Scenario: A touched trailing stop is a market order and does not limit the search to two paths
    # Touched in bar 1, which has no volume after the purchase; bar 2 has volume for 8 of its 10 at the open.
    Given fills may take 50% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 1000   |
      | 1   | 100  | 101  | 88  | 89    | 20     |
      | 2   | 90   | 94   | 88  | 91    | 16     |
    When these orders are placed
      | bar | order            |
      | 0   | buy 10           |
      | 0   | sell 10 trail 10 |
      | 1   | sell 1 stop 89   |
    Then the fills are
      | bar | order | side | quantity | price | stamp |
      | 1   | #1    | buy  | 10       | 100   |       |
      | 2   | #2    | sell | 8        | 90    |       |
    And bar 2 has no bounds but its two answers
