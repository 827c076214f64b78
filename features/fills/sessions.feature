Feature: Sessions
  A DAY order ends with the session of the first bar in which it can fill. Without sessions a day is a day in UTC.

  Background:
    Given 10000 in cash

  # New York is five hours behind UTC here: the session is 14:30 to 21:00.
  Scenario: A day order expires after the last bar of the session
    Given sessions of 09:30-16:00 in America/New_York
    And the candles
      | bar | time                | open | high | low | close |
      | 0   | 2020-01-06T19:00:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-06T20:00:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-06T21:00:00 | 100  | 101  | 94  | 100   |
      | 3   | 2020-01-07T14:00:00 | 100  | 101  | 94  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
    Then these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: Without sessions a day order rests until midnight
    Given the candles
      | bar | time                | open | high | low | close |
      | 0   | 2020-01-06T19:00:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-06T20:00:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-06T21:00:00 | 100  | 101  | 94  | 100   |
      | 3   | 2020-01-07T14:00:00 | 100  | 101  | 94  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 95    |

  Scenario: A day order placed at the last close is valid for the whole next session
    Given sessions of 09:30-16:00 in America/New_York
    And the candles
      | bar | time                | open | high | low | close |
      | 0   | 2020-01-06T20:00:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-06T22:00:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-07T15:00:00 | 100  | 101  | 99  | 100   |
      | 3   | 2020-01-07T20:00:00 | 100  | 101  | 94  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
    Then the fills are
      | bar | side | quantity | price |
      | 3   | buy  | 10       | 95    |

  Scenario: With bars stamped at their ends, the bar that ends with the session is its last bar
    Given sessions of 09:30-16:00 in America/New_York
    And a bar carries the time of its end
    And the candles
      | bar | time                | open | high | low | close |
      | 0   | 2020-01-06T19:00:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-06T20:00:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-06T21:00:00 | 100  | 101  | 94  | 100   |
      | 3   | 2020-01-06T22:00:00 | 100  | 101  | 89  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
      | 0   | buy 10 limit 90 day |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 95    |
    And these orders end without filling
      | bar | order | code    |
      | 3   | #2    | expired |

  Scenario: A session that opens on the previous evening continues over midnight
    Given sessions of 18:00-17:00 in America/New_York
    And the candles
      | bar | time                | open | high | low | close |
      | 0   | 2020-01-06T21:00:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-06T23:00:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-07T04:00:00 | 100  | 101  | 99  | 100   |
      | 3   | 2020-01-07T21:00:00 | 100  | 101  | 94  | 100   |
      | 4   | 2020-01-07T23:00:00 | 100  | 101  | 89  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
      | 0   | buy 10 limit 90 day |
    Then the fills are
      | bar | side | quantity | price |
      | 3   | buy  | 10       | 95    |
    And these orders end without filling
      | bar | order | code    |
      | 4   | #2    | expired |

  # The Friday after Thanksgiving 2024 ends at 13:00, 18:00 UTC; the bar after it is of Monday.
  Scenario: A half day ends early
    Given sessions of XNYS
    And the candles
      | bar | time                | open | high | low | close |
      | 0   | 2024-11-29T16:00:00 | 100  | 101  | 99  | 100   |
      | 1   | 2024-11-29T17:00:00 | 100  | 101  | 99  | 100   |
      | 2   | 2024-11-29T18:00:00 | 100  | 101  | 94  | 100   |
      | 3   | 2024-12-02T15:00:00 | 100  | 101  | 94  | 100   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
      | 1   | buy 10 limit 94 day |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 94    |
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: Each daily bar is a session, whatever the hours of the session
    Given sessions of 09:30-16:00 in America/New_York
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
    Then these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |
