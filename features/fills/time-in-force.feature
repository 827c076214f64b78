Feature: Time in force
  An order rests until it fills, is cancelled, or expires.

  Background:
    Given 10000 in cash

  Scenario: Good till cancelled rests without a limit in time
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

  Scenario: An order valid for two bars can fill in the second
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

  Scenario: An order valid for two bars cannot fill in the third
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

  Scenario: A day order on daily bars is valid for one bar
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

  Scenario: A day order placed at the last bar of a day is valid for the next day
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

  Scenario: A day order placed in the morning expires in the evening
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

  Scenario: Good till a time of day expires after that time
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

  Scenario: Immediate or cancel can fill only at the open
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

  Scenario: Immediate or cancel fills the available volume and cancels the rest
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

  Scenario: Fill or kill fills the whole order or cancels it
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

  Scenario: The rest of a market order expires after its last bar
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

  Scenario: The exits of an order that is valid for one bar continue to rest
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

  Scenario: Reducing orders that are immediate or cancel expire at their open, one after the other
    # The oldest order is checked first. No order waits for later orders.
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
