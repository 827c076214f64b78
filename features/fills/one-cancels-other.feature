Feature: One cancels other
  The first order of a group to fill cancels the others.

  Background:
    Given 10000 in cash

  Scenario: The order that is reached cancels the other
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 106  | 98  | 104   |
      | 2   | 103  | 104  | 90  | 92    |
    When these orders are placed
      | bar | order                          |
      | 0   | buy 10 stop 105 group breakout |
      | 0   | sell 10 stop 95 group breakout |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 105   |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #2    | one_cancels_other |

  Scenario: A group may have three orders
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 96  | 98    |
    When these orders are placed
      | bar | order                      |
      | 0   | buy 10 limit 97 group dip  |
      | 0   | buy 10 limit 90 group dip  |
      | 0   | buy 10 stop 110 group dip  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 97    |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #2    | one_cancels_other |
      | 1   | #3    | one_cancels_other |

  Scenario: If both orders can fill at the open, the older order fills
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | sell 10 group first |
      | 0   | buy 10 group first  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | sell | 10       | 100   |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #2    | one_cancels_other |

  Scenario: An order that fills at the open comes before orders that fill within the bar
    # The short could fill inside the bar, but the open fills the long first.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 107  | 108  | 94  | 96    |
    When these orders are placed
      | bar | order                          |
      | 0   | sell 10 stop 95 group breakout |
      | 0   | buy 10 stop 105 group breakout |
    Then the fills are
      | bar | order | side | quantity | price | stamp |
      | 1   | #2    | buy  | 10       | 107   |       |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #1    | one_cancels_other |

  Scenario: Groups are independent
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 96  | 98    |
    When these orders are placed
      | bar | order                      |
      | 0   | buy 10 limit 97 group dip  |
      | 0   | buy 10 limit 90 group dip  |
      | 0   | buy 10 limit 92 group deep |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 97    |
    And at the end these orders rest: #3

  Scenario: A group may span symbols
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 101  | 99  | 100   |
      | 0   | ZINC   | 50   | 51   | 49  | 50    |
      | 1   | ACME   | 100  | 101  | 99  | 100   |
      | 1   | ZINC   | 50   | 51   | 46  | 47    |
      | 2   | ACME   | 97   | 98   | 95  | 96    |
      | 2   | ZINC   | 47   | 48   | 46  | 47    |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 limit 98 of ACME group either |
      | 0   | buy 10 limit 48 of ZINC group either |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ZINC   | buy  | 10       | 48    |
    And these orders end without filling
      | bar | order | code              |
      | 1   | #1    | one_cancels_other |

  Scenario: An expired order does not cancel the other
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 98  | 99    |
      | 2   | 99   | 100  | 94  | 95    |
    When these orders are placed
      | bar | order                                |
      | 0   | buy 10 stop 105 group entry valid 1 bar |
      | 0   | buy 10 limit 95 group entry          |
    Then the fills are
      | bar | order | side | quantity | price |
      | 2   | #2    | buy  | 10       | 95    |
    And these orders end without filling
      | bar | order | code    |
      | 1   | #1    | expired |

  Scenario: A cancelled order does not cancel the other
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 98  | 99    |
      | 2   | 99   | 100  | 94  | 95    |
    When these orders are placed
      | bar | order                       |
      | 0   | buy 10 limit 96 group entry |
      | 0   | buy 10 limit 95 group entry |
      | 1   | cancel #1                   |
    Then the fills are
      | bar | order | side | quantity | price |
      | 2   | #2    | buy  | 10       | 95    |
    And these orders end without filling
      | bar | order | code      |
      | 1   | #1    | cancelled |
