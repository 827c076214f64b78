Feature: Limits for one open or one close, and post-only limits
  limit_on_open applies to the next open only, limit_on_close to the next close only. A post-only limit that would fill
  immediately is refused.

  Background:
    Given 10000 in cash

  Scenario: A limit on open fills at an open exactly at its limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 98   | 101  | 97  | 100   |
    When these orders are placed
      | bar | order                   |
      | 0   | buy 10 limit 98 on open |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 98    |

  Scenario: A limit on open that the open misses is cancelled, whatever happens later in the bar
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 101  | 90  | 95    |
    When these orders are placed
      | bar | order                   |
      | 0   | buy 10 limit 98 on open |
    Then nothing fills
    And these orders end without filling
      | bar | order | code    |
      | 1   | #1    | on_open |

  Scenario: The part of a limit on open that exceeds the volume is cancelled
    Given fills may take 50% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 100    |
      | 1   | 97   | 101  | 94  | 95    | 12     |
    When these orders are placed
      | bar | order                   |
      | 0   | buy 10 limit 98 on open |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 6        | 97    |
    And these orders end without filling
      | bar | order | code    |
      | 1   | #1    | on_open |

  Scenario: A limit on close fills at the close, not at its limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 90  | 96    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10 limit 98 on close |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 96    |

  Scenario: A limit on close that the close misses is cancelled
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 90  | 99    |
      | 2   | 97   | 98   | 96  | 97    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10 limit 98 on close |
    Then nothing fills
    And these orders end without filling
      | bar | order | code     |
      | 1   | #1    | on_close |

  Scenario: A resting post-only limit fills like any limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 97  | 99    |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 limit 98 post-only |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 98    |

  Scenario: A post-only limit at the last close is refused
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 97  | 99    |
    When these orders are placed
      | bar | order                      |
      | 0   | buy 10 limit 100 post-only |
    Then nothing fills
    And the order is refused, saying "The last close of ACME at 100 reaches the limit of 100"
    And these orders end without filling
      | bar | order | code      |
      | 0   |       | post_only |

  Scenario: A post-only limit that the next open reaches is refused at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 98   | 101  | 95  | 99    |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 limit 98 post-only |
    Then nothing fills
    And the order is refused, saying "The open of ACME at 98 reaches the limit of 98"
    And these orders end without filling
      | bar | order | code      |
      | 1   | #1    | post_only |

  Scenario: A gap through a resting post-only limit fills it at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 96   | 97   | 95  | 96    |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 limit 98 post-only |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 96    |
