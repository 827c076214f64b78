Feature: Limit orders
  A buy limit fills when the low reaches it, at the limit or at a better open; a sell limit mirrors it.

  Background:
    Given 10000 in cash

  Scenario: A buy limit rests until a low touches it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 101  | 102  | 97  | 100   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 97    |

  Scenario: A buy limit fills at the limit when the bar goes through it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 100  | 90  | 92    |
    When these orders are placed
      | bar | order             |
      | 0   | buy 10 limit 97.5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 97.5  |

  Scenario: A bar that opens below a buy limit fills it at the better open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 95   | 98   | 94  | 96    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 95    |

  Scenario: A low one cent above the limit fills nothing
    Given the candles
      | bar | open | high | low   | close |
      | 0   | 100  | 101  | 99    | 100   |
      | 1   | 99   | 100  | 97.01 | 98    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
    Then nothing fills
    And at the end these orders rest: #1

  Scenario: A sell limit fills when the high touches it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 101  | 104  | 100 | 102   |
      | 2   | 102  | 105  | 101 | 103   |
    When these orders are placed
      | bar | order             |
      | 0   | sell 10 limit 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | sell | 10       | 105   |

  Scenario: A bar that opens above a sell limit fills it at the better open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 108  | 109  | 103 | 104   |
    When these orders are placed
      | bar | order             |
      | 0   | sell 10 limit 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 108   |

  Scenario: If limits need the price to go through, a touch is not enough
    Given a limit needs the price to go through it
    And the candles
      | bar | open | high | low   | close |
      | 0   | 100  | 101  | 99    | 100   |
      | 1   | 99   | 100  | 97    | 98    |
      | 2   | 98   | 99   | 96.99 | 98    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 97    |

  Scenario: If limits need the price to go through, an open at the limit needs a lower low
    Given a limit needs the price to go through it
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 97   | 99   | 97  | 98    |
      | 2   | 97   | 99   | 96  | 98    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 97    |

  Scenario: A limit beyond the market fills at the open, not at its limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 101  | 103  | 100 | 102   |
    When these orders are placed
      | bar | order            |
      | 0   | buy 10 limit 110 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 101   |

  Scenario: Two limits reached by one bar each fill at their own limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 100  | 94  | 95    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 5 limit 95 |
      | 0   | buy 5 limit 98 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #2    | buy  | 5        | 98    |
      | 1   | #1    | buy  | 5        | 95    |

  Scenario: A cancelled limit does not fill
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 99   | 100  | 95  | 96    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
      | 1   | cancel #1       |
    Then nothing fills
    And these orders end without filling
      | bar | order | code      |
      | 1   | #1    | cancelled |

  Scenario: A replaced limit fills at the new price with a new number
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 99   | 100  | 95  | 96    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10 limit 90          |
      | 1   | replace #1 with limit 98 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 2   | #2    | buy  | 10       | 98    |
    And these orders end without filling
      | bar | order | code     |
      | 1   | #1    | replaced |

  Scenario: A replaced order moves to the end of the queue
    # 100 in cash carries one unit at 100, and the older order has the cash.
    Given 100 in cash
    And the candles
      | bar | open | high | low | close |
      | 0   | 99   | 99   | 99  | 99    |
      | 1   | 99   | 99   | 99  | 99    |
      | 2   | 98   | 98   | 98  | 98    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 1 limit 97           |
      | 0   | buy 1 limit 98           |
      | 1   | replace #1 with limit 99 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 2   | #2    | buy  | 1        | 98    |
    And these orders end without filling
      | bar | order | code         |
      | 1   | #1    | replaced     |
      | 2   | #3    | buying_power |

  Scenario: A refused replacement leaves the order unchanged
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 99   | 100  | 95  | 96    |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 limit 97                     |
      | 1   | replace #1 with stop-loss 2 atr(50) |
    Then the fills are
      | bar | order | side | quantity | price |
      | 2   | #1    | buy  | 10       | 97    |
    And the order is refused, saying "has too few bars"
    And these orders end without filling
      | bar | order | code      |
      | 1   |       | bad_price |
