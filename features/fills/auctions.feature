Feature: Orders for the opening and the closing auction
  Where sessions are known, an order on open fills at the open of a session's first bar, and an order on close fills at
  the close of its last bar. Where sessions are unknown, every bar has both auctions.

  Background:
    Given 10000 in cash

  # New York is five hours behind UTC here: the session is 14:30 to 21:00.
  Rule: With sessions, orders wait for the auction

    Background:
      Given sessions of 09:30-16:00 in America/New_York

    Scenario: A buy on close at noon waits for the last bar of the session
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T17:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T18:30:00 | 100  | 103  | 99  | 102   |
        | 2   | 2020-01-06T19:30:00 | 102  | 105  | 101 | 104   |
        | 3   | 2020-01-06T20:30:00 | 104  | 107  | 103 | 106   |
        | 4   | 2020-01-07T14:30:00 | 110  | 111  | 109 | 110   |
      When these orders are placed
        | bar | order           |
        | 0   | buy 10 on close |
      Then the fills are
        | bar | side | quantity | price |
        | 3   | buy  | 10       | 106   |

    Scenario: A buy on open at noon waits for the first bar of the next session
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T18:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T19:30:00 | 101  | 102  | 100 | 101   |
        | 2   | 2020-01-06T20:30:00 | 102  | 103  | 101 | 102   |
        | 3   | 2020-01-07T14:30:00 | 110  | 111  | 109 | 110   |
        | 4   | 2020-01-07T15:30:00 | 112  | 113  | 111 | 112   |
      When these orders are placed
        | bar | order          |
        | 0   | buy 10 on open |
      Then the fills are
        | bar | side | quantity | price |
        | 3   | buy  | 10       | 110   |

    Scenario: A limit on open is tested only at the opening auction
      # Bar 1 opens below the limit in the middle of the session.
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T18:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T19:30:00 | 95   | 101  | 94  | 100   |
        | 2   | 2020-01-06T20:30:00 | 100  | 101  | 99  | 100   |
        | 3   | 2020-01-07T14:30:00 | 99   | 101  | 94  | 95    |
      When these orders are placed
        | bar | order                   |
        | 0   | buy 10 limit 98 on open |
      Then nothing fills
      And these orders end without filling
        | bar | order | code    |
        | 3   | #1    | on_open |

    Scenario: A limit on close is tested only at the closing auction
      # Bars 1 and 2 close below the limit in the middle of the session.
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T17:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T18:30:00 | 100  | 101  | 94  | 95    |
        | 2   | 2020-01-06T19:30:00 | 95   | 97   | 94  | 96    |
        | 3   | 2020-01-06T20:30:00 | 96   | 98   | 95  | 97    |
      When these orders are placed
        | bar | order                    |
        | 0   | buy 10 limit 98 on close |
      Then the fills are
        | bar | side | quantity | price |
        | 3   | buy  | 10       | 97    |

    Scenario: An order on close placed at the last close waits for the next session's close
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T19:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T20:30:00 | 100  | 101  | 99  | 100   |
        | 2   | 2020-01-07T19:30:00 | 103  | 106  | 102 | 105   |
        | 3   | 2020-01-07T20:30:00 | 105  | 108  | 104 | 107   |
      When these orders are placed
        | bar | order           |
        | 1   | buy 10 on close |
      Then the fills are
        | bar | side | quantity | price |
        | 3   | buy  | 10       | 107   |

    Scenario: If the last bar of a session is missing, the order rests until the next auction
      # Bar 2 is the last bar of its session in the data. Its closing auction at 16:00 is not in the data.
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T17:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T18:30:00 | 100  | 101  | 99  | 100   |
        | 2   | 2020-01-06T19:30:00 | 100  | 103  | 99  | 102   |
        | 3   | 2020-01-07T19:30:00 | 104  | 106  | 103 | 105   |
        | 4   | 2020-01-07T20:30:00 | 105  | 108  | 104 | 107   |
      When these orders are placed
        | bar | order               |
        | 0   | buy 10 on close     |
        | 0   | buy 10 on close day |
      Then the fills are
        | bar | order | side | quantity | price |
        | 4   | #1    | buy  | 10       | 107   |
      And these orders end without filling
        | bar | order | code    |
        | 3   | #2    | expired |

    Scenario: Bars stamped at their ends have the auctions in the same bars
      Given a bar carries the time of its end
      And the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T20:00:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T21:00:00 | 101  | 103  | 100 | 102   |
        | 2   | 2020-01-07T15:00:00 | 110  | 111  | 109 | 110   |
        | 3   | 2020-01-07T16:00:00 | 112  | 113  | 111 | 112   |
      When these orders are placed
        | bar | order            |
        | 0   | buy 10 on close |
        | 0   | sell 10 on open |
      Then the fills are
        | bar | order | side | quantity | price |
        | 1   | #1    | buy  | 10       | 102   |
        | 2   | #2    | sell | 10       | 110   |

    Scenario: Daily bars have both auctions
      Given the candles
        | bar | time       | open | high | low | close |
        | 0   | 2020-01-06 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-07 | 103  | 106  | 102 | 105   |
      When these orders are placed
        | bar | order            |
        | 0   | buy 10 on open   |
        | 0   | sell 10 on close |
      Then the fills are
        | bar | side | quantity | price |
        | 1   | buy  | 10       | 103   |
        | 1   | sell | 10       | 105   |

  Rule: A calendar contains early closes

    Scenario: The day after Thanksgiving closes at 13:00
      Given sessions of XNYS
      And the candles
        | bar | time                | open | high | low | close |
        | 0   | 2019-11-29T15:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2019-11-29T16:30:00 | 100  | 103  | 99  | 102   |
        | 2   | 2019-11-29T17:30:00 | 102  | 105  | 101 | 104   |
        | 3   | 2019-12-02T14:30:00 | 104  | 107  | 103 | 106   |
      When these orders are placed
        | bar | order           |
        | 0   | buy 10 on close |
      Then the fills are
        | bar | side | quantity | price |
        | 2   | buy  | 10       | 104   |

  Rule: Without sessions, every bar has both auctions

    Scenario: A buy on open fills at the next open
      Given the candles
        | bar | time                | open | high | low | close |
        | 0   | 2020-01-06T17:30:00 | 100  | 101  | 99  | 100   |
        | 1   | 2020-01-06T18:30:00 | 103  | 106  | 102 | 105   |
        | 2   | 2020-01-06T19:30:00 | 105  | 107  | 104 | 106   |
      When these orders are placed
        | bar | order            |
        | 0   | buy 10 on open   |
        | 0   | sell 10 on close |
      Then the fills are
        | bar | side | quantity | price |
        | 1   | buy  | 10       | 103   |
        | 1   | sell | 10       | 105   |

    Scenario: The rest of an order on open waits for the next open
      Given fills may take 50% of the volume
      And the candles
        | bar | open | high | low | close | volume |
        | 0   | 100  | 101  | 99  | 100   | 100    |
        | 1   | 97   | 101  | 94  | 95    | 12     |
        | 2   | 96   | 101  | 94  | 95    | 100    |
      When these orders are placed
        | bar | order          |
        | 0   | buy 10 on open |
      Then the fills are
        | bar | side | quantity | price |
        | 1   | buy  | 6        | 97    |
        | 2   | buy  | 4        | 96    |
