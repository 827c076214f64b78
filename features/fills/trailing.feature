Feature: Trailing stops
  The level starts from the close of placement and follows the price within the bar, up for a sell and down for a buy.
  The level never moves back. The bar is followed along two paths: open, high, low, close, and open, low, high, close.

  Background:
    Given 10000 in cash

  Scenario: The level follows the highs, and the order fills when the price returns to the level
    # From bar 0's close: 100 − 5 = 95. After bar 1: 106 − 5 = 101. After bar 2: 110 − 5 = 105.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 102  | 106  | 102 | 105   |
      | 2   | 106  | 110  | 106 | 108   |
      | 3   | 108  | 109  | 103 | 104   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 102   |
      | 3   | sell | 10       | 105   |

  Scenario: A bar's own high raises the level for the low of the same bar
    # Up to 110 first, the level is 105, and the way to 96 passes it; down to 96 first, the level of 95 is not reached, the
    # high makes it 105, and the close of 104 passes it.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 110  | 96  | 104   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price | stamp |
      | 1   | buy  | 10       | 100   |       |
      | 1   | sell | 10       | 105   |       |

  Scenario: If only one of the two paths reaches the level, the worse outcome is booked
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 110  | 96  | 107   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |          |
      | 1   | sell | 10       | 105   | ambiguous | +20      |
    And the bounds of bar 1 are canonical

  Scenario: The level does not fall with the price
    # After bar 1: 107 − 5 = 102. Bar 2's high of 105 would make it 100: it stays at 102.
    Given the candles
      | bar | open | high | low   | close |
      | 0   | 100  | 101  | 99    | 100   |
      | 1   | 103  | 107  | 103   | 106   |
      | 2   | 104  | 105  | 103   | 104   |
      | 3   | 103  | 104  | 101   | 103   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 103   |
      | 3   | sell | 10       | 102   |

  Scenario: A percentage is measured from the high
    # From bar 0's close: 100 − 10 = 90. After bar 1: 120 − 12 = 108.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 109  | 120  | 109 | 118   |
      | 2   | 117  | 119  | 107 | 110   |
    When these orders are placed
      | bar | order             |
      | 0   | buy 10            |
      | 0   | sell 10 trail 10% |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 109   |
      | 2   | sell | 10       | 108   |

  Scenario: A gap through the level fills at the worse open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 102  | 106  | 102 | 105   |
      | 2   | 94   | 96   | 92  | 95    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 102   |
      | 2   | sell | 10       | 94    |

  Scenario: A buy follows the lows of a short
    # From bar 0's close: 100 + 5 = 105. After bar 1: 92 + 5 = 97. After bar 2: 90 + 5 = 95.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 96   | 96.5 | 92  | 93    |
      | 2   | 93   | 94   | 90  | 91    |
      | 3   | 92   | 98   | 91  | 97    |
    When these orders are placed
      | bar | order          |
      | 0   | sell 10        |
      | 0   | buy 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 96    |
      | 3   | buy  | 10       | 95    |

  Scenario: A trailing entry buys after a falling market turns
    # From bar 0's close: 100 + 10 = 110. After bar 1: 80 + 8 = 88, which bar 2 reaches.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 87   | 87   | 80  | 82    |
      | 2   | 83   | 90   | 82  | 89    |
    When these orders are placed
      | bar | order            |
      | 0   | buy 10 trail 10% |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 88    |

  Scenario: Touching the level fills the order
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 95  | 101   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 1   | sell | 10       | 95    |
