Feature: Brackets
  A stop loss and a take profit are created when their order fills, for the position that it opens. Each cancels the
  other.

  Background:
    Given 10000 in cash

  Scenario: The take profit fills and cancels the stop loss
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 102  | 111  | 101 | 109   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 110 |
    Then the fills are
      | bar | order | side | quantity | price | reason      |
      | 1   | #1    | buy  | 10       | 100   |             |
      | 2   | #3    | sell | 10       | 110   | take-profit |
    And these orders end without filling
      | bar | order | code            |
      | 2   | #2    | position_closed |

  Scenario: The stop loss fills and cancels the take profit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 101  | 102  | 93  | 94    |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 110 |
    Then the fills are
      | bar | order | side | quantity | price | reason    |
      | 1   | #1    | buy  | 10       | 100   |           |
      | 2   | #2    | sell | 10       | 95    | stop-loss |
    And these orders end without filling
      | bar | order | code            |
      | 2   | #3    | position_closed |

  Scenario: Distances in price are measured from the fill, not from the previous close
    # 102 − 4 = 98 and 102 + 6 = 108.
    Given the candles
      | bar | open | high | low   | close |
      | 0   | 100  | 101  | 99    | 100   |
      | 1   | 102  | 107  | 98.01 | 105   |
      | 2   | 105  | 108  | 104   | 107   |
    When these orders are placed
      | bar | order                                     |
      | 0   | buy 10 stop-loss 4 away take-profit 6 away |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 102   |             |
      | 2   | sell | 10       | 108   | take-profit |

  Scenario: Percentages are measured from the fill
    # 200 − 5 % = 190.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 210  | 210  | 205 | 208   |
      | 1   | 200  | 215  | 195 | 205   |
      | 2   | 198  | 199  | 188 | 189   |
    When these orders are placed
      | bar | order                                |
      | 0   | buy 10 stop-loss 5% take-profit 10% |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 200   |           |
      | 2   | sell | 10       | 190   | stop-loss |

  Scenario: Average true ranges are measured at the bar of the order
    # True ranges: bar 1 has 104 − 98 = 6, bar 2 has 103 − 101 = 2; their mean over two bars is 4.
    # Stop loss 103 − 1.5 × 4 = 97, take profit 103 + 2 × 4 = 111.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 104  | 98  | 101   |
      | 2   | 101  | 103  | 101 | 102   |
      | 3   | 103  | 110  | 98  | 104   |
      | 4   | 104  | 112  | 103 | 110   |
    When these orders are placed
      | bar | order                                         |
      | 2   | buy 10 stop-loss 1.5 atr(2) take-profit 2 atr(2) |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 3   | buy  | 10       | 103   |             |
      | 4   | sell | 10       | 111   | take-profit |

  Scenario: The two exits may use average true ranges of different lengths
    # As above, but the take profit uses the last bar's range alone, without smoothing: 103 + 2 × 2 = 107.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 104  | 98  | 101   |
      | 2   | 101  | 103  | 101 | 102   |
      | 3   | 103  | 106  | 98  | 104   |
      | 4   | 104  | 112  | 103 | 110   |
    When these orders are placed
      | bar | order                                         |
      | 2   | buy 10 stop-loss 1.5 atr(2) take-profit 2 atr(1) |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 3   | buy  | 10       | 103   |             |
      | 4   | sell | 10       | 107   | take-profit |

  Scenario: A short's stop loss is above and its take profit below
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 104  | 97  | 99    |
      | 2   | 98   | 99   | 89  | 91    |
    When these orders are placed
      | bar | order                               |
      | 0   | sell 10 stop-loss 105 take-profit 90 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | sell | 10       | 100   |             |
      | 2   | buy  | 10       | 90    | take-profit |

  Scenario: After an entry at the open, the stop loss is live for the rest of the bar
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 94  | 102   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 stop-loss 95 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 100   |           |
      | 1   | sell | 10       | 95    | stop-loss |

  Scenario: After an entry at the open, the take profit is live for the rest of the bar
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 106  | 96  | 97    |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 1   | sell | 10       | 105   | take-profit |

  Scenario: After an entry within the bar, a low that may come later stops the position
    # The low of 98 may come before or after 103. The worse outcome is after.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 105  | 98  | 104   |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 stop 103 stop-loss 99 |
    Then the fills are
      | bar | side | quantity | price | reason    | stamp     |
      | 1   | buy  | 10       | 103   |           |           |
      | 1   | sell | 10       | 99    | stop-loss | ambiguous |

  Scenario: After an entry within the bar, a close beyond the stop loss proves the stop
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 105  | 97  | 98    |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 stop 103 stop-loss 99 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 103   |           |
      | 1   | sell | 10       | 99    | stop-loss |

  Scenario: After an entry within the bar, a close beyond the take profit proves the profit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 102  | 96  | 101   |
    When these orders are placed
      | bar | order                           |
      | 0   | buy 10 limit 97 take-profit 100 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 97    |             |
      | 1   | sell | 10       | 100   | take-profit |

  Scenario: After an entry within the bar, a high that may come earlier does not fill the take profit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 102  | 96  | 98    |
      | 2   | 98   | 101  | 97  | 100   |
    When these orders are placed
      | bar | order                           |
      | 0   | buy 10 limit 97 take-profit 100 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 97    |             |
      | 2   | sell | 10       | 100   | take-profit |

  Scenario: If limits need the price to go through, a high at the take profit does not fill it
    Given a limit needs the price to go through it
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 100  | 96  | 99    |
      | 2   | 99   | 100  | 98  | 99    |
      | 3   | 99   | 101  | 98  | 99    |
    When these orders are placed
      | bar | order                           |
      | 0   | buy 10 limit 97 take-profit 100 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 97    |             |
      | 3   | sell | 10       | 100   | take-profit |

  Scenario: Closing the position with another order cancels both exits
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 101  | 120  | 80  | 100   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 110 |
      | 1   | close                               |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 100   |
      | 2   | #4    | sell | 10       | 101   |
    And these orders end without filling
      | bar | order | code            |
      | 2   | #2    | position_closed |
      | 2   | #3    | position_closed |

  Scenario: A partial exit resizes both exits
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 102  | 104  | 101 | 103   |
      | 3   | 103  | 111  | 102 | 108   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 110 |
      | 1   | sell 4                              |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 2   | sell | 4        | 102   |             |
      | 3   | sell | 6        | 110   | take-profit |
    And at the end the position is 0

  Scenario: The exits of an entry in parts cover the filled parts
    # A tenth of 60 is 6; of 1000 in bar 2 all the rest. The exits grow from 6 to 10.
    Given fills may take 10% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 103  | 98  | 102   | 60     |
      | 2   | 102  | 104  | 101 | 103   | 1000   |
      | 3   | 101  | 102  | 93  | 94    | 1000   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 stop-loss 95 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 6        | 100   |           |
      | 2   | buy  | 4        | 102   |           |
      | 3   | sell | 10       | 95    | stop-loss |

  Scenario: The rest of a stop loss fills at the next open, before the take profit
    # A tenth of 60 is 6. The stop was touched, so the other 4 wait for volume, not for the price.
    Given fills may take 10% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 103  | 98  | 102   | 1000   |
      | 2   | 101  | 102  | 94  | 97    | 60     |
      | 3   | 98   | 111  | 97  | 110   | 1000   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 110 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 2   | sell | 6        | 95    | stop-loss   |
      | 3   | sell | 4        | 98    | stop-loss   |

  Scenario: An order that only closes has no exits
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
      | 3   | 100  | 101  | 80  | 90    |
    When these orders are placed
      | bar | order               |
      | 0   | sell 10             |
      | 1   | buy 10 stop-loss 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 100   |
      | 2   | buy  | 10       | 100   |
    And at the end these orders rest: none

  Scenario: After a reversal the exits cover only the new position
    # 10 of the 15 close the long; the stop loss buys back the 5 that opened the short.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
      | 3   | 100  | 107  | 99  | 106   |
    When these orders are placed
      | bar | order                 |
      | 0   | buy 10                |
      | 1   | sell 15 stop-loss 105 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 100   |           |
      | 2   | sell | 15       | 100   |           |
      | 3   | buy  | 5        | 105   | stop-loss |

  Scenario: Each of two brackets in one symbol closes its own position
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
      | 2   | 110  | 112  | 109 | 111   |
      | 3   | 111  | 116  | 110 | 114   |
    When these orders are placed
      | bar | order                  |
      | 0   | buy 10 take-profit 120 |
      | 1   | buy 5 take-profit 115  |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100   |             |
      | 2   | buy  | 5        | 110   |             |
      | 3   | sell | 5        | 115   | take-profit |
    And these trades are closed:
      | quantity | entry | exit | net |
      | 5        | 110   | 115  | 25  |

  Scenario: A stop loss above the fill of a long fills at the same open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 93   | 97   | 92  | 96    |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 stop-loss 95 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 93    |           |
      | 1   | sell | 10       | 93    | stop-loss |
