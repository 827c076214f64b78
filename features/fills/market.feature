Feature: Market orders
  A market order fills at the open of the next bar, whatever the previous close is.

  Background:
    Given 10000 in cash

  Scenario: A buy fills at the next open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 103  | 105  | 102 | 104   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 103   |

  Scenario: A sell without a position opens a short at the next open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
      | 1   | 98   | 99   | 95  | 96    |
    When these orders are placed
      | bar | order   |
      | 0   | sell 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 98    |
    And at the end the position is -10
    And the final equity is 10020

  Scenario: Orders of one bar fill oldest first at the same open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 50   | 51   | 49  | 50    |
      | 1   | 52   | 53   | 50  | 51    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 0   | sell 4 |
      | 0   | buy 1  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 52    |
      | 1   | #2    | sell | 4        | 52    |
      | 1   | #3    | buy  | 1        | 52    |
    And at the end the position is 7

  Scenario: An order of the last bar never fills
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 101   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
    Then nothing fills
    And at the end these orders rest: #1

  Scenario: A notional becomes whole units at the fill price
    # 1000 / 103 is 9.7
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 102  | 99  | 100   |
      | 1   | 103  | 105  | 102 | 104   |
    When these orders are placed
      | bar | order     |
      | 0   | buy $1000 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 9        | 103   |

  Scenario: A share of equity uses the equity at the open of the fill
    # Open from bar 1 at 100: 50 units. At bar 2's open of 120 the equity is 5000 + 6000 = 11000; a tenth of it is 1100,
    # which at 120 is 9.2 units.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 100  | 100 | 100   |
      | 2   | 120  | 120  | 120 | 120   |
    When these orders are placed
      | bar | order             |
      | 0   | buy 50            |
      | 1   | buy 10% of equity |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 50       | 100   |
      | 2   | buy  | 9        | 120   |

  Scenario: Commission is charged on every fill
    Given a commission of 0.5%
    And the candles
      | bar | open | high | low | close |
      | 0   | 40   | 40   | 40  | 40    |
      | 1   | 40   | 42   | 38  | 41    |
      | 2   | 44   | 45   | 43  | 44    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 1   | close  |
    Then the fills are
      | bar | side | quantity | price | fee |
      | 1   | buy  | 10       | 40    | 2   |
      | 2   | sell | 10       | 44    | 2.2 |
    And the final equity is 10035.8
