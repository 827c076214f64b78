Feature: Buying power, margin and liquidation
  Buying power is equity × leverage less what positions use. Below the maintenance margin positions are closed at the
  next open, largest loser first.

  Background:
    Given 1000 in cash

  Scenario: A cash account can buy up to its equity
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 11 |
      | 0   | buy 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
    And the order is refused, saying "At most 10 would be accepted."
    And these orders end without filling
      | bar | order | code         |
      | 0   |       | buying_power |

  Scenario: A leverage of four allows four times the equity
    Given a leverage of 4
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 41 |
      | 0   | buy 40 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 40       | 100   |
    And these orders end without filling
      | bar | order | code         |
      | 0   |       | buying_power |

  Scenario: Equity at the maintenance margin is not a breach, equity below it is
    # 40 units. At 93.75: equity 1000 − 250 = 750, a fifth of 3750 is 750. At 93.5: 740, and a fifth of 3740 is 748.
    Given a leverage of 4
    And a maintenance margin of 20%
    And the candles
      | bar | open  | high  | low   | close |
      | 0   | 100   | 100   | 100   | 100   |
      | 1   | 100   | 100   | 93.75 | 93.75 |
      | 2   | 93.75 | 94    | 93.5  | 93.5  |
      | 3   | 93    | 95    | 92    | 95    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 40 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 40       | 100   |             |
      | 3   | sell | 40       | 93    | liquidation |
    And the final equity is 720

  Scenario: A short is liquidated when the price rises
    # 20 short at 100. At 130: equity 1000 − 600 = 400, 30 % of 2600 is 780.
    Given a leverage of 2
    And a maintenance margin of 30%
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 131  | 100 | 130   |
      | 2   | 135  | 140  | 130 | 132   |
    When these orders are placed
      | bar | order   |
      | 0   | sell 20 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | sell | 20       | 100   |             |
      | 2   | buy  | 20       | 135   | liquidation |
    And the final equity is 300

  Scenario: The position with the largest loss is liquidated first, and only as many positions as necessary
    # Losses of 300 and 100: equity 600, a fifth of 1700 + 1900 is 720. Without ACME a fifth of 1900 is 380.
    Given a leverage of 4
    And a maintenance margin of 20%
    And the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 100  | 100  | 100 | 100   |
      | 1   | ACME   | 100  | 100  | 85  | 85    |
      | 1   | ZINC   | 100  | 100  | 95  | 95    |
      | 2   | ACME   | 84   | 86   | 83  | 85    |
      | 2   | ZINC   | 96   | 97   | 95  | 96    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 20 of ZINC |
      | 0   | buy 20 of ACME |
    Then the fills are
      | bar | symbol | side | quantity | price | reason      |
      | 1   | ZINC   | buy  | 20       | 100   |             |
      | 1   | ACME   | buy  | 20       | 100   |             |
      | 2   | ACME   | sell | 20       | 84    | liquidation |

  Scenario: A liquidation cancels the exits of the position
    Given a leverage of 4
    And a maintenance margin of 20%
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 100  | 90  | 90    |
      | 2   | 89   | 120  | 80  | 95    |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 40 stop-loss 85 take-profit 110 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 40       | 100   |             |
      | 2   | sell | 40       | 89    | liquidation |
    And these orders end without filling
      | bar | order | code            |
      | 2   | #2    | position_closed |
      | 2   | #3    | position_closed |

  Scenario: The proceeds of a short sale do not increase the buying power
    # 6 short at 100 use 600 of the 1000 of equity; 400 carry 8 at 50, whatever the cash is.
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
      | 2   | ACME   | 100  | 100  | 100 | 100   |
      | 2   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order          |
      | 0   | sell 6 of ACME |
      | 1   | buy 9 of ZINC  |
      | 1   | buy 8 of ZINC  |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ACME   | sell | 6        | 100   |
      | 2   | ZINC   | buy  | 8        | 50    |
    And these orders end without filling
      | bar | order | code         |
      | 1   |       | buying_power |

  Scenario: A reversal needs buying power only for its new position
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 100  | 100 | 100   |
      | 2   | 100  | 100  | 100 | 100   |
    When these orders are placed
      | bar | order   |
      | 0   | buy 10  |
      | 1   | sell 20 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 20       | 100   |
    And at the end the position is -10

  Scenario: With leverage and no margin set, the maintenance margin is half of the initial requirement
    # 40 units. At 85: equity 1000 − 600 = 400, an eighth of 3400 is 425.
    Given a leverage of 4
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 100  | 86  | 86    |
      | 2   | 86   | 86   | 85  | 85    |
      | 3   | 84   | 90   | 84  | 90    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 40 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 40       | 100   |             |
      | 3   | sell | 40       | 84    | liquidation |
    And the final equity is 360

  Scenario: Negative equity ends the run and closes everything at that close
    # 10 short at 100. At 210: equity 1000 − 1100 = −100. What comes after earns nothing.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 100  | 100 | 100   |
      | 2   | 100  | 210  | 100 | 210   |
      | 3   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order            |
      | 0   | sell 10          |
      | 1   | buy 1 limit 60   |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | sell | 10       | 100   |           |
      | 2   | buy  | 10       | 210   | insolvent |
    And these orders end without filling
      | bar | order | code      |
      | 2   | #2    | insolvent |
    And the final equity is -100
