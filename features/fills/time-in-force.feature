Feature: Time in force
  An order rests until it fills, is taken back, or its time is over.

  Background:
    Given 10000 in cash

  Scenario: Good till cancelled rests as long as it takes
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
      | 3   | 100  | 101  | 99  | 100   |
      | 4   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 limit 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 4   | buy  | 10       | 95    |

  Scenario: Valid for two bars, it may fill in the second
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 limit 95 valid 2 bars |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 95    |

  Scenario: Valid for two bars, it may not fill in the third
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
      | 3   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 limit 95 valid 2 bars |
    Then nothing fills
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: A day order of daily bars has one bar
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 96  | 100   |
      | 2   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
      | 0   | buy 5 limit 97 day  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #2    | buy  | 5        | 97    |
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: A day order placed at the last bar of a day has the next day
    Given the candles
      | bar | time             | open | high | low | close |
      | 0   | 2020-01-01 10:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-01 14:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-02 10:00 | 100  | 101  | 98  | 99    |
      | 3   | 2020-01-02 14:00 | 99   | 100  | 94  | 96    |
    When these orders are placed
      | bar | order               |
      | 1   | buy 10 limit 95 day |
    Then the fills are
      | bar | side | quantity | price |
      | 3   | buy  | 10       | 95    |

  Scenario: A day order placed in the morning is over in the evening
    Given the candles
      | bar | time             | open | high | low | close |
      | 0   | 2020-01-01 10:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-01 14:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-02 10:00 | 99   | 100  | 94  | 96    |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 day |
    Then nothing fills
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: Good till a date includes the whole of that date
    # Bar 2 is 3 January.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order                            |
      | 0   | buy 10 limit 95 until 2020-01-03 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 95    |

  Scenario: Good till a date does not fill the day after, not even at its open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 94   | 99   | 93  | 96    |
    When these orders are placed
      | bar | order                            |
      | 0   | buy 10 limit 95 until 2020-01-02 |
    Then nothing fills
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: Good till a time of day
    Given the candles
      | bar | time             | open | high | low | close |
      | 0   | 2020-01-01 10:00 | 100  | 101  | 99  | 100   |
      | 1   | 2020-01-01 12:00 | 100  | 101  | 99  | 100   |
      | 2   | 2020-01-01 14:00 | 99   | 100  | 94  | 96    |
    When these orders are placed
      | bar | order                                  |
      | 0   | buy 10 limit 95 until 2020-01-01T12:00 |
      | 0   | buy 5 limit 95 until 2020-01-01T14:00  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 2   | #2    | buy  | 5        | 95    |
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: Immediate or cancel looks at the open alone
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 98   | 99   | 94  | 96    |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 limit 95 ioc |
    Then nothing fills
    And these orders end without filling
      | bar | order | code |
      | 1   | #1    | ioc  |

  Scenario: Immediate or cancel takes what there is and cancels the rest
    # A tenth of 60 is 6.
    Given fills may take 10% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 60     |
      | 2   | 100  | 101  | 99  | 100   | 1000   |
    When these orders are placed
      | bar | order      |
      | 0   | buy 10 ioc |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 6        | 100   |
    And these orders end without filling
      | bar | order | code |
      | 1   | #1    | ioc  |

  Scenario: Fill or kill takes all or nothing
    Given fills may take 10% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 60     |
    When these orders are placed
      | bar | order      |
      | 0   | buy 10 fok |
      | 0   | buy 6 fok  |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #2    | buy  | 6        | 100   |
    And these orders end without filling
      | bar | order | code |
      | 1   | #1    | fok  |

  Scenario: What a market order could not fill in its bars expires
    # Two bars of 4 each; 2 are left over.
    Given fills may take 10% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 101  | 99  | 100   | 40     |
      | 2   | 101  | 102  | 100 | 101   | 40     |
      | 3   | 102  | 103  | 101 | 102   | 40     |
    When these orders are placed
      | bar | order               |
      | 0   | buy 10 valid 2 bars |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 4        | 100   |
      | 2   | buy  | 4        | 101   |
    And these orders end without filling
      | bar | order | code    |
      | 2   | #1    | expired |

  Scenario: The exits of an order that was valid for one bar rest on
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 101  | 97  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
      | 3   | 100  | 101  | 89  | 90    |
    When these orders are placed
      | bar | order                                    |
      | 0   | buy 10 limit 98 valid 1 bar stop-loss 92 |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 98    |           |
      | 3   | sell | 10       | 92    | stop-loss |

  Scenario: Immediate or cancel that would only reduce is over at its open, one after the other
    # The first to be looked at is the oldest; nothing waits for orders behind it.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 90   | 90   | 90  | 90    |
      | 1   | 90   | 90   | 90  | 90    |
      | 2   | 90   | 90   | 90  | 90    |
    When these orders are placed
      | bar | order              |
      | 0   | sell 1             |
      | 1   | buy 1 limit 80 ioc |
      | 1   | close limit 80 ioc |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | sell | 1        | 90    |
    And these orders end without filling
      | bar | order | code |
      | 2   | #2    | ioc  |
      | 2   | #3    | ioc  |
