Feature: Missing bars and bars without volume
  Missing bars and bars without volume fill nothing. Orders rest, positions have the value of their last close, and time
  passes.

  Background:
    Given 10000 in cash

  Scenario: A bar without volume does not fill a limit that its low reaches
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 100  | 94  | 96    | 0      |
      | 2   | 97   | 98   | 94  | 96    | 1000   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 95    |

  Scenario: A stop loss reached in a bar without volume fills at the next open, not at its level
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 98  | 99    | 1000   |
      | 2   | 97   | 97   | 93  | 93    | 0      |
      | 3   | 92   | 93   | 90  | 91    | 1000   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 stop-loss 95 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 100   |           |
      | 3   | sell | 10       | 92    | stop-loss |

  Scenario: An order for a symbol without a bar waits for its next one
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 101  | 99  | 100   |
      | 0   | ZINC   | 50   | 51   | 49  | 50    |
      | 1   | ACME   | 100  | 101  | 99  | 100   |
      | 2   | ACME   | 100  | 101  | 99  | 100   |
      | 2   | ZINC   | 55   | 56   | 54  | 55    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 10 of ZINC |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 2   | ZINC   | buy  | 10       | 55    |

  Scenario: A position without a bar is valued at its last close
    # Bought at 50: 9500 in cash. Bar 1 closes at 52: 10020. Bar 2 has none: still 52. Bar 3 closes at 48: 9980.
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 101  | 99  | 100   |
      | 0   | ZINC   | 50   | 51   | 49  | 50    |
      | 1   | ACME   | 100  | 101  | 99  | 100   |
      | 1   | ZINC   | 50   | 53   | 49  | 52    |
      | 2   | ACME   | 100  | 101  | 99  | 100   |
      | 3   | ACME   | 100  | 101  | 99  | 100   |
      | 3   | ZINC   | 49   | 50   | 47  | 48    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 10 of ZINC |
    Then the account at each close is:
      | bar | cash  | equity |
      | 0   | 10000 | 10000  |
      | 1   | 9500  | 10020  |
      | 2   | 9500  | 10020  |
      | 3   | 9500  | 9980   |

  Scenario: A good-till date passes while the symbol has no bar
    # Good till 3 January, which is bar 2; ZINC's next bar is bar 3.
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 101  | 99  | 100   |
      | 0   | ZINC   | 50   | 51   | 49  | 50    |
      | 1   | ACME   | 100  | 101  | 99  | 100   |
      | 2   | ACME   | 100  | 101  | 99  | 100   |
      | 3   | ACME   | 100  | 101  | 99  | 100   |
      | 3   | ZINC   | 44   | 46   | 43  | 45    |
    When these orders are placed
      | bar | order                                    |
      | 0   | buy 10 limit 45 of ZINC until 2020-01-03 |
    Then nothing fills
    And these orders end without filling
      | bar | order | code    |
      | 3   | #1    | expired |

  Scenario: A liquidation waits for a bar with volume
    # 40 × 100 with 1000: at 90 the equity is 600, a fifth of 3600 is 720. Bar 2 has no volume.
    Given 1000 in cash
    And a leverage of 4
    And a maintenance margin of 20%
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 1000   |
      | 1   | 100  | 100  | 90  | 90    | 1000   |
      | 2   | 90   | 90   | 90  | 90    | 0      |
      | 3   | 89   | 91   | 88  | 90    | 1000   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 40 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 40       | 100   |             |
      | 3   | sell | 40       | 89    | liquidation |
