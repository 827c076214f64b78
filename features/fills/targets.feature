Feature: Brackets with several targets and trailing stops
  Each target closes its share of the position. The stop loss covers the rest.

  Background:
    Given 10000 in cash

  Scenario: The stop loss covers the rest after one of two targets
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 102  | 106  | 101 | 105   |
      | 3   | 105  | 106  | 94  | 96    |
    When these orders are placed
      | bar | order                                                    |
      | 0   | buy 10 stop-loss 95 targets 50% at 105, 30% at 110       |
    Then the fills are
      | bar | order | side | quantity | price | reason      |
      | 1   | #1    | buy  | 10       | 100   |             |
      | 2   | #3    | sell | 5        | 105   | take-profit |
      | 3   | #2    | sell | 5        | 95    | stop-loss   |
    And these orders end without filling
      | bar | order | code            |
      | 3   | #4    | position_closed |

  Scenario: The last target closes the rest and cancels the stop loss
    # A third of 10 is 3.3: three units, three units, and the rest.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 102  | 112  | 101 | 111   |
    When these orders are placed
      | bar | order                                                            |
      | 0   | buy 10 stop-loss 95 targets 33% at 104, 33% at 108, rest at 112  |
    Then the fills are
      | bar | order | side | quantity | price | reason      |
      | 1   | #1    | buy  | 10       | 100   |             |
      | 2   | #3    | sell | 3        | 104   | take-profit |
      | 2   | #4    | sell | 3        | 108   | take-profit |
      | 2   | #5    | sell | 4        | 112   | take-profit |
    And these orders end without filling
      | bar | order | code            |
      | 2   | #2    | position_closed |

  Scenario: If a bar reaches the stop and a target, the stop closes everything
    # Best would be half at 105 and half at 95: 50 more.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 102  | 106  | 94  | 94    |
    When these orders are placed
      | bar | order                                     |
      | 0   | buy 10 stop-loss 95 targets 50% at 105    |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 100   |           |           |          |
      | 2   | sell | 10       | 95    | stop-loss | ambiguous | +50      |

  Scenario: An open beyond a target fills it at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 107  | 108  | 106 | 107   |
    When these orders are placed
      | bar | order                                             |
      | 0   | buy 10 stop-loss 95 targets 50% at 105, rest at 110 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 2   | sell | 5        | 107   | take-profit |

  Scenario: After a partial close the first target closes the rest
    # 7 of 10 are sold. The first target closes the remaining 3, and the other exits are cancelled.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 102  | 103  | 101 | 102   |
      | 3   | 102  | 106  | 101 | 105   |
    When these orders are placed
      | bar | order                                               |
      | 0   | buy 10 stop-loss 95 targets 50% at 105, rest at 110 |
      | 1   | sell 7                                              |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 2   | sell | 7        | 102   |             |
      | 3   | sell | 3        | 105   | take-profit |
    And these orders end without filling
      | bar | order | code            |
      | 3   | #2    | position_closed |
      | 3   | #4    | position_closed |

  Scenario: Each part of an entry is divided between the targets
    # 6 and then 4 units: 3 and 3, and 2 and 2 more.
    Given fills may take 50% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 100    |
      | 1   | 100  | 103  | 98  | 102   | 12     |
      | 2   | 102  | 103  | 101 | 102   | 100    |
      | 3   | 103  | 112  | 103 | 111   | 100    |
    When these orders are placed
      | bar | order                                  |
      | 0   | buy 10 targets 50% at 105, rest at 110 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 6        | 100   |             |
      | 2   | buy  | 4        | 102   |             |
      | 3   | sell | 5        | 105   | take-profit |
      | 3   | sell | 5        | 110   | take-profit |

  Scenario: A trailing stop loss follows the price from the fill
    # Bought at 100, the stop 4 below at 96; bar 2's high of 109 makes it 105.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 99  | 102   |
      | 2   | 106  | 109  | 106 | 108   |
      | 3   | 108  | 108  | 104 | 105   |
    When these orders are placed
      | bar | order                             |
      | 0   | buy 10 stop-loss 4 away trailing  |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 100   |           |
      | 3   | sell | 10       | 105   | stop-loss |

  Scenario: A trailing stop loss created within a bar follows two paths through the rest of the bar
    # Up first: bought at 95 after the high, the stop stays at 91. Down first: 110 makes the stop 106, which sells 2 above
    # the close. The worse is booked.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 110  | 94  | 104   |
    When these orders are placed
      | bar | order                                      |
      | 0   | buy 10 limit 95 stop-loss 4 away trailing  |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     | if other |
      | 1   | buy  | 10       | 95    |           |           |          |
    And the bounds of bar 1 are canonical

  Scenario: A trailing stop loss covers the rest after a target
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 99  | 102   |
      | 2   | 106  | 109  | 106 | 108   |
      | 3   | 108  | 108  | 104 | 105   |
    When these orders are placed
      | bar | order                                              |
      | 0   | buy 10 stop-loss 4 away trailing targets 50% at 107 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 2   | sell | 5        | 107   | take-profit |
      | 3   | sell | 5        | 105   | stop-loss   |
