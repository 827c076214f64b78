Feature: Partial fills
  With a participation cap, all fills of a symbol in one bar share a part of its volume. The rest of an order rests.

  Background:
    Given 10000 in cash
    And fills may take 10% of the volume

  Scenario: The rest of a market order fills at the next open
    # A tenth of 60 is 6.
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 60     |
      | 2   | 102  | 103  | 101 | 102   | 1000   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 6        | 100   |
      | 2   | #1    | buy  | 4        | 102   |

  Scenario: Older orders use the volume first
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 60     |
      | 2   | 102  | 103  | 101 | 102   | 1000   |
    When these orders are placed
      | bar | order |
      | 0   | buy 4 |
      | 0   | buy 4 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 4        | 100   |
      | 1   | #2    | buy  | 2        | 100   |
      | 2   | #2    | buy  | 2        | 102   |

  Scenario: Buys and sells share the volume
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 1000   |
      | 2   | 101  | 102  | 100 | 101   | 60     |
      | 3   | 102  | 103  | 101 | 102   | 60     |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 1   | sell 4 |
      | 1   | buy 4  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 100   |
      | 2   | #2    | sell | 4        | 101   |
      | 2   | #3    | buy  | 2        | 101   |
      | 3   | #3    | buy  | 2        | 102   |

  Scenario: Volume used at the open is not available within the bar
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 96  | 98    | 60     |
      | 2   | 98   | 99   | 96  | 98    | 60     |
    When these orders are placed
      | bar | order          |
      | 0   | buy 5 limit 97 |
      | 0   | buy 5          |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #2    | buy  | 5        | 100   |
      | 1   | #1    | buy  | 1        | 97    |
      | 2   | #1    | buy  | 4        | 97    |

  Scenario: The rest of a limit order waits for its limit again
    Given the candles
      | bar | open | high | low  | close | volume |
      | 0   | 100  | 101  | 99   | 100   | 1000   |
      | 1   | 100  | 101  | 96   | 98    | 60     |
      | 2   | 98   | 99   | 97.5 | 98    | 1000   |
      | 3   | 96   | 98   | 95   | 97    | 1000   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 97 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 6        | 97    |
      | 3   | buy  | 4        | 96    |

  Scenario: The usable volume is rounded down to whole lots
    # A tenth of 68 is 6.8, which is one lot of 5.
    Given lots of 5
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 68     |
      | 2   | 102  | 103  | 101 | 102   | 1000   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 15 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 5        | 100   |
      | 2   | buy  | 10       | 102   |

  Scenario: A bar whose share is below one lot fills nothing
    # A tenth of 9 is 0.9.
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 9      |
      | 2   | 102  | 103  | 101 | 102   | 1000   |
    When these orders are placed
      | bar | order |
      | 0   | buy 4 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 4        | 102   |

  Scenario: A close continues until the position is closed
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 1000   |
      | 2   | 101  | 102  | 100 | 101   | 60     |
      | 3   | 102  | 103  | 101 | 102   | 1000   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 1   | close  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 6        | 101   |
      | 3   | sell | 4        | 102   |
    And at the end the position is 0

  Scenario: A target continues until it is reached
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 60     |
      | 2   | 101  | 102  | 100 | 101   | 1000   |
    When these orders are placed
      | bar | order     |
      | 0   | target 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 6        | 100   |
      | 2   | buy  | 4        | 101   |

  Scenario: A refused order uses no volume
    # The buy of 9 was affordable at the close of 100; at the open of 120 it needs 1080. A tenth of 100 is 10, enough
    # for the sale of 5 behind it.
    Given 1000 in cash
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 120  | 121  | 119 | 120   | 100    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 9  |
      | 0   | sell 5 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #2    | sell | 5        | 120   |
    And these orders end without filling
      | bar | order | code         |
      | 1   | #1    | buying_power |

  Scenario: A stop loss cancels the rest of its entry
    # The stop loss is at 95, so the rest must not buy at 90.
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 100    |
      | 1   | 100  | 100  | 100 | 100   | 100    |
      | 2   | 90   | 90   | 90  | 90    | 100    |
      | 3   | 90   | 90   | 90  | 90    | 100    |
    When these orders are placed
      | bar | order                           |
      | 0   | buy 100 limit 100 stop-loss 95  |
    Then the fills are
      | bar | order | side | quantity | price | reason    |
      | 1   | #1    | buy  | 10       | 100   |           |
      | 2   | #2    | sell | 10       | 90    | stop-loss |
    And these orders end without filling
      | bar | order | code        |
      | 2   | #1    | exit_filled |

  Scenario: A partly filled take profit cancels the rest of its entry
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 100    |
      | 1   | 100  | 100  | 100 | 100   | 100    |
      | 2   | 111  | 111  | 111 | 111   | 60     |
      | 3   | 100  | 100  | 100 | 100   | 100    |
      | 4   | 112  | 112  | 112 | 112   | 100    |
    When these orders are placed
      | bar | order                                |
      | 0   | buy 100 limit 100 take-profit 110    |
    Then the fills are
      | bar | order | side | quantity | price | reason      |
      | 1   | #1    | buy  | 10       | 100   |             |
      | 2   | #2    | sell | 6        | 111   | take-profit |
      | 4   | #2    | sell | 4        | 112   | take-profit |
    And these orders end without filling
      | bar | order | code        |
      | 2   | #1    | exit_filled |

  Scenario: Exits of later parts use the levels of the first fill
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 100    |
      | 1   | 100  | 100  | 100 | 100   | 100    |
      | 2   | 97   | 97   | 97  | 97    | 100    |
      | 3   | 97   | 97   | 93  | 94    | 1000   |
    When these orders are placed
      | bar | order                                  |
      | 0   | buy 20 limit 100 stop-loss 5 away      |
    Then the fills are
      | bar | order | side | quantity | price | reason    |
      | 1   | #1    | buy  | 10       | 100   |           |
      | 2   | #1    | buy  | 10       | 97    |           |
      | 3   | #2    | sell | 20       | 95    | stop-loss |

  Scenario: A replacement counts as the rest of its entry
    Given the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 100  | 100 | 100   | 100    |
      | 1   | 100  | 100  | 100 | 100   | 100    |
      | 2   | 90   | 90   | 90  | 90    | 100    |
    When these orders are placed
      | bar | order                           |
      | 0   | buy 100 limit 100 stop-loss 95  |
      | 1   | replace #1 with limit 99        |
    Then the fills are
      | bar | order | side | quantity | price | reason    |
      | 1   | #1    | buy  | 10       | 100   |           |
      | 2   | #2    | sell | 10       | 90    | stop-loss |
    And these orders end without filling
      | bar | order | code        |
      | 1   | #1    | replaced    |
      | 2   | #3    | exit_filled |
