Feature: Rebalancing a portfolio
  One set of market orders brings the account to weights of its equity. The orders are sized at the close, reduced by
  existing positions, and sell first.

  Background:
    Given 10000 in cash

  Scenario: Sales pay for purchases at the same open
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
      | 2   | ACME   | 100  | 100  | 100 | 100   |
      | 2   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order                        |
      | 0   | rebalance ZINC 90%           |
      | 1   | rebalance ACME 45%, ZINC 45% |
    Then the fills are
      | bar | symbol | side | quantity | price | reason    |
      | 1   | ZINC   | buy  | 180      | 50    | rebalance |
      | 2   | ZINC   | sell | 90       | 50    | rebalance |
      | 2   | ACME   | buy  | 45       | 100   | rebalance |

  Scenario: Sizes are those of the close, and after a gap the last purchase is smaller
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 110  | 110  | 110 | 110   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order                        |
      | 0   | rebalance ACME 50%, ZINC 50% |
    Then the fills are
      | bar | symbol | side | quantity | price | requested |
      | 1   | ACME   | buy  | 50       | 110   |           |
      | 1   | ZINC   | buy  | 90       | 50    | 100       |

  Scenario: A cash reserve covers a gap
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 110  | 110  | 110 | 110   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order                                |
      | 0   | rebalance ACME 45%, ZINC 45% cash 5% |
    Then the fills are
      | bar | symbol | side | quantity | price | requested |
      | 1   | ACME   | buy  | 45       | 110   |           |
      | 1   | ZINC   | buy  | 90       | 50    |           |

  Scenario: A symbol without weight is closed, a long can become a short, and the tolerance prevents small trades
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | IRON   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 100  | 102  | 100 | 102   |
      | 1   | IRON   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
      | 2   | ACME   | 102  | 102  | 102 | 102   |
      | 2   | IRON   | 100  | 100  | 100 | 100   |
      | 2   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order                                      |
      | 0   | rebalance ACME 40%, IRON 30%, ZINC 30%     |
      | 1   | rebalance ACME 40%, ZINC -20% tolerance 2% |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ACME   | buy  | 40       | 100   |
      | 1   | IRON   | buy  | 30       | 100   |
      | 1   | ZINC   | buy  | 60       | 50    |
      | 2   | IRON   | sell | 30       | 100   |
      | 2   | ZINC   | sell | 100      | 50    |

  Scenario: Other positions can remain unchanged
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
      | 2   | ACME   | 100  | 100  | 100 | 100   |
      | 2   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order                             |
      | 0   | rebalance ZINC 40%                |
      | 1   | rebalance ACME 50% keeping others |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ZINC   | buy  | 80       | 50    |
      | 2   | ACME   | buy  | 50       | 100   |

  Scenario: A rebalance with an error places no order
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order                        |
      | 0   | rebalance ACME 50%, GOLD 50% |
      | 0   | rebalance ACME 60%, ZINC 50% |
    Then nothing fills
    And these orders end without filling
      | bar | order | code        |
      | 0   |       | bad_weights |
      | 0   |       | bad_weights |
