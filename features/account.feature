Feature: The account
  Everything besides fills that changes an account: dividends, splits, delistings, currencies, interest and borrow fees.
  Every number is calculated by hand in the scenario. The rules are in docs/account.md.

  Background:
    Given 10000 in cash

  Rule: Dividends

    Background:
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
        | 2020-01-09 | 98   | 100  | 95  | 96    | 1000   |
        | 2020-01-10 | 97   | 101  | 96  | 100   | 1000   |
      And these corporate actions:
        | symbol | date       | kind     | amount |
        | ACME   | 2020-01-08 | dividend | 2      |

    # 10 short at 102: cash 10000 + 1020 = 11020. The dividend costs 10 × 2 = 20.
    Scenario: A short seller pays the dividend
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | sell   | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind     | symbol | quantity | perUnit | amount | cash  |
        | 2020-01-08 | dividend | ACME   | -10      | 2       | -20    | 11000 |
      And the account at each close is:
        | date       | cash  | equity |
        | 2020-01-06 | 10000 | 10000  |
        | 2020-01-07 | 11020 | 9980   |
        | 2020-01-08 | 11000 | 10010  |
        | 2020-01-09 | 11000 | 10040  |
        | 2020-01-10 | 11000 | 10000  |
      And the profits and all cash explain the equity, to the last decimal

    # 10000 − 1020 + 20 + 1030: the dividend is booked before the open, so a seller at that open receives it.
    Scenario: A seller at the open of the ex-date receives the dividend
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-07 | close  |          |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind     | quantity | amount | cash |
        | 2020-01-08 | dividend | 10       | 20     | 9000 |
      And the final equity is 10030

    Scenario: A buyer at the open of the ex-date does not receive the dividend
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-07 | buy    | 10       |
      When the backtest runs
      Then no cash is paid or received beside the trades
      And the final equity is 9970

    Scenario: A dividend on a day without a bar is paid with the next bar
      Given these corporate actions:
        | symbol | date       | kind     | amount |
        | ACME   | 2020-01-11 | dividend | 3      |
        | ACME   | 2020-01-04 | dividend | 3      |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then no cash is paid or received beside the trades

  Rule: Splits

    Background:
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 300  | 306  | 297 | 303   | 1000   |
        | 2020-01-07 | 306  | 315  | 303 | 312   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
        | 2020-01-09 | 98   | 100  | 95  | 96    | 1000   |
        | 2020-01-10 | 97   | 101  | 96  | 100   | 1000   |
      And these corporate actions:
        | symbol | date       | kind  | ratio |
        | ACME   | 2020-01-08 | split | 3:1   |

    # 10 at 306 become 30 at 102; 5 at 291 become 15 at 97. Cash 10000 − 3060 = 6940, then − 15 × 97 = 5485.
    Scenario: A 3-for-1 split adjusts the position and a resting limit order
      Given the trader places:
        | date       | action | quantity | type  | limit |
        | 2020-01-06 | buy    | 10       |       |       |
        | 2020-01-07 | buy    | 5        | limit | 291   |
      When the backtest runs
      Then these splits happen:
        | date       | symbol | ratio | quantityBefore | quantityAfter | leftOver |
        | 2020-01-08 | ACME   | 3:1   | 10             | 30            |          |
      And these orders are adjusted:
        | date       | orderId | quantity | limitPrice |
        | 2020-01-08 | 2       | 15       | 97         |
      And these fills happen:
        | date       | side | quantity | price | cash |
        | 2020-01-07 | buy  | 10       | 306   | 6940 |
        | 2020-01-09 | buy  | 15       | 97    | 5485 |
      And the account at each close is:
        | date       | cash  | equity |
        | 2020-01-06 | 10000 | 10000  |
        | 2020-01-07 | 6940  | 10060  |
        | 2020-01-08 | 6940  | 9910   |
        | 2020-01-09 | 5485  | 9805   |
        | 2020-01-10 | 5485  | 9985   |
      And these trades are open at the end:
        | side | quantity | entry | last | net |
        | long | 30       | 102   | 100  | -60 |
        | long | 15       | 97    | 100  | 45  |
      And the profits and all cash explain the equity, to the last decimal

    # The stop at 291 becomes 97, the profit taker at 330 becomes 110, both for 30. 30 × (97 − 102) = −150.
    Scenario: A split adjusts the exits of a position
      Given the trader places:
        | date       | action | quantity | stopLoss | takeProfit |
        | 2020-01-06 | buy    | 10       | 291      | 330        |
      When the backtest runs
      Then these orders are adjusted:
        | date       | orderId | quantity | limitPrice | stopPrice |
        | 2020-01-08 | 2       | 30       |            | 97        |
        | 2020-01-08 | 3       | 30       | 110        |           |
      And these trades are closed:
        | side | quantity | entry | exit | net  | reason    |
        | long | 30       | 102   | 97   | -150 | stop-loss |
      And these orders are taken back:
        | date       | orderId | code            |
        | 2020-01-09 | 3       | position_closed |
      And the final equity is 9850

    # It trails by 30 from the close of 312, at 282; after the split by 10, at 94. The bar of the 8th does not move it up.
    Scenario: A split scales the distance of a trailing stop
      Given the trader places:
        | date       | action | quantity | type          | trail |
        | 2020-01-06 | buy    | 10       |               |       |
        | 2020-01-07 | sell   | 10       | trailing_stop | 30    |
      When the backtest runs
      Then these orders are adjusted:
        | date       | orderId | quantity | stopPrice |
        | 2020-01-08 | 2       | 30       | 94        |
      And no trade is closed

    Scenario: Adjusted prices of orders are rounded to the tick as when they were placed
      Given a tick of 0.05
      And the trader places:
        | date       | action | quantity | type  | limit  | stop   |
        | 2020-01-06 | buy    | 2        | limit | 200.05 |        |
        | 2020-01-06 | sell   | 2        | limit | 400.05 |        |
        | 2020-01-06 | buy    | 2        | stop  |        | 400.05 |
        | 2020-01-06 | sell   | 2        | stop  |        | 200.05 |
      When the backtest runs
      Then these orders are adjusted:
        | date       | orderId | quantity | limitPrice | stopPrice |
        | 2020-01-08 | 1       | 6        | 66.65      |           |
        | 2020-01-08 | 2       | 6        | 133.35     |           |
        | 2020-01-08 | 3       | 6        |            | 133.35    |
        | 2020-01-08 | 4       | 6        |            | 66.65     |

  Rule: Reverse splits

    Background:
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 412  | 416  | 392 | 396   | 1000   |
        | 2020-01-09 | 392  | 400  | 380 | 384   | 1000   |
      And these corporate actions:
        | symbol | date       | kind  | ratio |
        | ACME   | 2020-01-08 | split | 1:4   |

    # 10 at 102 become 2.5 at 408. The half is paid out at the open, 0.5 × 412 = 206: a gain of 0.5 × (412 − 408) = 2.
    Scenario: A reverse split pays out fractional shares in cash
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then these splits happen:
        | date       | ratio | quantityBefore | quantityAfter | leftOver | price | cash |
        | 2020-01-08 | 1:4   | 10             | 2             | 0.5      | 412   | 9186 |
      And these trades are closed:
        | side | quantity | entry | exit | net | reason       |
        | long | 0.5      | 408   | 412  | 2   | cash in lieu |
      And these trades are open at the end:
        | side | quantity | entry | last | net |
        | long | 2        | 408   | 384  | -48 |
      And the final equity is 9954

    Scenario: A short position pays for fractional shares
      Given the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | sell   | 10       |
      When the backtest runs
      Then these trades are closed:
        | side  | quantity | entry | exit | net | reason       |
        | short | 0.5      | 408   | 412  | -2  | cash in lieu |
      And the final equity is 10046

    Scenario: An order below one share is cancelled
      Given the trader places:
        | date       | action | quantity | type  | limit |
        | 2020-01-06 | buy    | 3        | limit | 50    |
        | 2020-01-06 | buy    | 9        | limit | 50    |
      When the backtest runs
      Then these orders are taken back:
        | date       | orderId | code  |
        | 2020-01-08 | 1       | split |
      And these orders are adjusted:
        | date       | orderId | quantity | limitPrice |
        | 2020-01-08 | 2       | 2        | 200        |

    # 6 and 6 become 1.5 and 1.5. The first order gets 1 of the 3 shares and the second gets 2, so exits stay whole.
    Scenario: The exits of two orders share the whole shares
      Given the trader places:
        | date       | action | quantity | stopLoss |
        | 2020-01-06 | buy    | 6        | 95       |
        | 2020-01-06 | buy    | 6        | 96       |
      When the backtest runs
      Then these orders are adjusted:
        | date       | orderId | quantity | stopPrice |
        | 2020-01-08 | 3       | 1        | 380       |
        | 2020-01-08 | 4       | 2        | 384       |
      And these trades are closed:
        | side | quantity | entry | exit | net  | reason    |
        | long | 0.5      | 408   | 384  | -12  | stop-loss |
        | long | 1.5      | 408   | 384  | -36  | stop-loss |
        | long | 1        | 408   | 380  | -28  | stop-loss |
      And the final equity is 9924

  Rule: Delistings

    Background:
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
      And these bars of WIDG:
        | date       | open | high | low | close | volume |
        | 2020-01-08 | 50   | 51   | 49  | 50    | 1000   |
        | 2020-01-09 | 50   | 51   | 49  | 50    | 1000   |
        | 2020-01-10 | 50   | 51   | 49  | 50    | 1000   |

    # 10 at 102 are paid out at 50: 10 × (50 − 102) = −520.
    Scenario: A delisting closes the position at its price and cancels the orders
      Given these corporate actions:
        | symbol | date       | kind      | price |
        | ACME   | 2020-01-09 | delisting | 50    |
      And the trader places:
        | date       | symbol | action | quantity | type  | limit |
        | 2020-01-06 | ACME   | buy    | 10       |       |       |
        | 2020-01-07 | ACME   | buy    | 10       | limit | 90    |
        | 2020-01-09 | ACME   | buy    | 10       |       |       |
      When the backtest runs
      Then these orders are taken back:
        | date       | orderId | code     |
        | 2020-01-09 | 2       | delisted |
      And these fills happen:
        | date       | side | quantity | price | commission | cash |
        | 2020-01-07 | buy  | 10       | 102   | 0          | 8980 |
        | 2020-01-09 | sell | 10       | 50    | 0          | 9480 |
      And these trades are closed:
        | side | quantity | entry | exit | net  | reason    |
        | long | 10       | 102   | 50   | -520 | delisting |
      And the order of 2020-01-09 is refused on 2020-01-09 as delisted
      And the final equity is 9480

    Scenario: A delisting without a price uses the last close
      Given these corporate actions:
        | symbol | date       | kind      |
        | ACME   | 2020-01-09 | delisting |
      And the trader orders:
        | date       | symbol | action | quantity |
        | 2020-01-06 | ACME   | sell   | 10       |
      When the backtest runs
      Then these trades are closed:
        | side  | quantity | entry | exit | net | reason    |
        | short | 10       | 102   | 99   | 30  | delisting |

    Scenario: A delisting with bars on or after its date is refused
      Given these corporate actions:
        | symbol | date       | kind      |
        | ACME   | 2020-01-08 | delisting |
      Then the run is refused, saying "ACME, delisting of 2020-01-08: the data have bars of this symbol up to 2020-01-08"

    Scenario: All faults of a file of actions are reported together
      Given these corporate actions:
        | symbol | date       | kind     | amount | ratio |
        | ACME   | 2020-02-30 | dividend | 1      |       |
        | ACME   | 2020-01-08 | bonus    | 1      |       |
        | ACME   | 2020-01-08 | dividend | -1     |       |
        | ACME   | 2020-01-08 | split    |        | 1:1   |
      Then the actions are refused, saying:
        | line 2: date "2020-02-30" is not a date                      |
        | line 3: kind is "bonus": use dividend, split or delisting |
        | line 4: amount is "-1": give an amount above 0            |
        | line 5: ratio is "1:1": it changes nothing                |

  Rule: Other currencies

    Background:
      Given these bars of SAP:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
      And SAP is quoted in EUR

    # Bought: 10 × 102 EUR at 1.12, the rate of that open, is 1142.40. Marked on the 7th: 10 × 104 × 1.10 = 1144.
    # Sold: 10 × 103 × 1.08 = 1112.40. The loss of 30 is −1020 × 0.04 = −40.80 of currency and 10 × 1.08 = 10.80 of price.
    Scenario: A EUR instrument in a USD account is converted at the rate of each fill and close
      Given these exchange rates of EURUSD:
        | date       | open | close |
        | 2020-01-06 | 1.10 | 1.12  |
        | 2020-01-07 | 1.12 | 1.10  |
        | 2020-01-08 | 1.08 | 1.05  |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-07 | close  |          |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price | rate | cash   |
        | 2020-01-07 | buy  | 10       | 102   | 1.12 | 8857.6 |
        | 2020-01-08 | sell | 10       | 103   | 1.08 | 9970   |
      And these trades are closed:
        | side | quantity | entry | exit | entryRate | exitRate | fxPnl | gross | net |
        | long | 10       | 102   | 103  | 1.12      | 1.08     | -40.8 | -30   | -30 |
      And the account at each close is:
        | date       | cash   | equity  |
        | 2020-01-06 | 10000  | 10000   |
        | 2020-01-07 | 8857.6 | 10001.6 |
        | 2020-01-08 | 9970   | 9970    |

    # 0.2 % of 10 × 102 EUR is 2.04 EUR, at 1.25 that is 2.55 USD; 10000 − 1275 − 2.55 = 8722.45. The dividend: 10 × 3 × 1.25.
    Scenario: Commission and dividends in the instrument's currency are converted to the account's currency
      Given a commission of 0.2%
      And these exchange rates of EURUSD:
        | date       | open | close |
        | 2020-01-03 | 1.25 | 1.25  |
      And these corporate actions:
        | symbol | date       | kind     | amount |
        | SAP    | 2020-01-08 | dividend | 3      |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price | rate | commission | cash    |
        | 2020-01-07 | buy  | 10       | 102   | 1.25 | 2.55       | 8722.45 |
      And this cash is paid and received:
        | date       | kind     | quantity | perUnit | rate | amount | cash    |
        | 2020-01-08 | dividend | 10       | 3       | 1.25 | 37.5   | 8759.95 |
      And the profits and all cash explain the equity, to the last decimal

    # A share costs 102 × 1.25 = 127.50. Half of 10000 buys 39, 1000 buys 7. The remaining cash does not cover 32 at 130.
    Scenario: A share of the equity is sized in the account's currency
      Given these exchange rates of EURUSD:
        | date       | open | close |
        | 2020-01-06 | 1.25 | 1.25  |
        | 2020-01-07 | 1.25 | 1.25  |
        | 2020-01-08 | 1.25 | 1.25  |
      And the trader places:
        | date       | action | equityFraction | notional | quantity |
        | 2020-01-06 | buy    | 0.5            |          |          |
        | 2020-01-06 | buy    |                | 1000     |          |
        | 2020-01-07 | buy    |                |          | 32       |
      When the backtest runs
      Then these fills happen:
        | date       | quantity | price | cash   |
        | 2020-01-07 | 39       | 102   | 5027.5 |
        | 2020-01-07 | 7        | 102   | 4135   |
      And the order of 2020-01-07 is refused on 2020-01-07 as buying_power

    Scenario: An exchange rate that is quoted the other way round is inverted
      Given these exchange rates of USDEUR:
        | date       | open | close |
        | 2020-01-06 | 0.8  | 0.8   |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then these fills happen:
        | date       | quantity | price | rate | cash |
        | 2020-01-07 | 10       | 102   | 1.25 | 8725 |

    Scenario: An order without an exchange rate is refused, and so is a run without a rate series
      Then the run is refused, saying "currencies.EUR: SAP is in EUR, the account is in USD: unknown series EURUSD"
      Given these exchange rates of EURUSD:
        | date       | open | close |
        | 2020-01-07 | 1.25 | 1.25  |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as no_price

  Rule: Interest and fees

    Background:
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-02 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-03 | 100  | 103  | 99  | 102   | 1000   |
        | 2020-01-06 | 103  | 104  | 98  | 99    | 1000   |
        | 2020-01-07 | 98   | 100  | 95  | 96    | 1000   |

    # 36.5 % a year is 0.1 % a day. Friday's close marks 10 short at 1020; three days cost 3.06. Monday's mark is 990: 0.99.
    Scenario: A borrow fee over a weekend counts three days
      Given a borrow fee of 36.5% a year
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | sell   | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind       | symbol | base | days | amount | cash     |
        | 2020-01-06 | borrow_fee | ACME   | 1020 | 3    | -3.06  | 10996.94 |
        | 2020-01-07 | borrow_fee | ACME   | 990  | 1    | -0.99  | 10995.95 |
      And the final equity is 10035.95
      And the profits and all cash explain the equity, to the last decimal

    Scenario: An instrument that is hard to borrow has its own fee
      Given a borrow fee of 73% a year on ACME
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | sell   | 10       |
        | 2020-01-03 | close  |          |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind       | days | amount |
        | 2020-01-06 | borrow_fee | 3    | -6.12  |

    # Friday's close carries 1020 at 36.5 % for three days: 3.06. Monday's carries 990 at 73 % for one: 1.98.
    Scenario: A changed borrow fee applies to positions that are carried from a close after the change
      Given a borrow fee of 36.5% a year on ACME
      And ACME can be borrowed like this:
        | from       | fee |
        | 2020-01-04 | 73  |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | sell   | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind       | symbol | base | days | amount |
        | 2020-01-06 | borrow_fee | ACME   | 1020 | 3    | -3.06  |
        | 2020-01-07 | borrow_fee | ACME   | 990  | 1    | -1.98  |
      And the profits and all cash explain the equity, to the last decimal

    Scenario: A short sale is refused if the symbol cannot be borrowed on the date of the fill
      Given ACME can be borrowed like this:
        | from       | available |
        | 2020-01-03 | no        |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | sell   | 10       |
      When the backtest runs
      Then the order of 2020-01-02 is refused on 2020-01-03 as not_borrowable

    Scenario: A short sale is refused while the symbol cannot be borrowed, and accepted once it can
      Given ACME can be borrowed like this:
        | from       | available |
        | 2019-12-01 | no        |
        | 2020-01-03 | yes       |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | sell   | 10       |
        | 2020-01-03 | sell   | 10       |
      When the backtest runs
      Then the order of 2020-01-02 is refused on 2020-01-02 as not_borrowable
      And these trades are open at the end:
        | symbol | side  | quantity |
        | ACME   | short | 10       |

    Scenario: A short position stays open and can be closed after the symbol can no longer be borrowed
      Given ACME can be borrowed like this:
        | from       | available |
        | 2020-01-04 | no        |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | sell   | 10       |
        | 2020-01-06 | close  |          |
      When the backtest runs
      Then these trades are closed:
        | symbol | side  | quantity |
        | ACME   | short | 10       |

    # 3.65 % a year is 0.01 % a day: 1 on Friday, 10001 × 0.0003 = 3.0003 on Monday. Short proceeds earn nothing:
    # Monday's cash of 11004.0003 less the 990 that is short is 10014.0003.
    Scenario: Cash earns interest, short proceeds do not
      Given interest of 3.65% a year on cash and 7.3% on borrowed cash
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-03 | sell   | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind     | base       | days | amount     |
        | 2020-01-03 | interest | 10000      | 1    | 1          |
        | 2020-01-06 | interest | 10001      | 3    | 3.0003     |
        | 2020-01-07 | interest | 10044.0003 | 1    | 1.00440003 |

    # 150 at 100 with 10000 in cash borrow 5000; 7.3 % a year is 0.02 % a day.
    Scenario: Borrowed cash costs margin interest
      Given a leverage of 2
      And interest of 0% a year on cash and 7.3% on borrowed cash
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | buy    | 150      |
      When the backtest runs
      Then this cash is paid and received:
        | date       | kind            | base | days | amount  | cash       |
        | 2020-01-06 | margin_interest | 5000 | 3    | -3      | -5003      |
        | 2020-01-07 | margin_interest | 5003 | 1    | -1.0006 | -5004.0006 |

  Rule: Average cost

    # 10 at 102 and 10 at 103 cost 102.50 each. 15 × (98 − 102.50) = −67.50; the 5 that are left still cost 102.50.
    Scenario: Closed units are matched at the average purchase price
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |
        | 2020-01-09 | 98   | 100  | 95  | 96    | 1000   |
      And closed units are matched at average cost
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-06 | buy    | 10       |
        | 2020-01-07 | buy    | 10       |
        | 2020-01-08 | sell   | 15       |
      When the backtest runs
      Then these trades are closed:
        | quantity | entry | exit | net   |
        | 15       | 102.5 | 98   | -67.5 |
      And these trades are open at the end:
        | quantity | entry | last | net   |
        | 5        | 102.5 | 96   | -32.5 |

    # The second order's stop sells its own 10 units, and they cost the average too.
    Scenario: Exits close only the units of their order
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 106  | 107  | 103 | 105   | 1000   |
        | 2020-01-09 | 104  | 105  | 99  | 103   | 1000   |
      And closed units are matched at average cost
      And the trader places:
        | date       | action | quantity | stopLoss |
        | 2020-01-06 | buy    | 10       | 90       |
        | 2020-01-07 | buy    | 10       | 100      |
      When the backtest runs
      Then these trades are closed:
        | quantity | entry | exit | net | reason    |
        | 10       | 104   | 100  | -40 | stop-loss |
      And these trades are open at the end:
        | quantity | entry | last | net |
        | 10       | 104   | 103  | -10 |

  @spawn
  Rule: From files

    # docs/account.md explains this run line by line.
    Scenario: A run reads a split, dividends, exchange rates and a borrow fee from files
      Given the file "acme.csv":
        """
        date,open,high,low,close,volume
        2020-01-02,300,306,297,303,1000
        2020-01-03,306,315,303,312,1000
        2020-01-06,103,104,98,99,1000
        2020-01-07,98,100,95,96,1000
        2020-01-08,97,101,96,100,1000
        """
      And the file "sap.csv":
        """
        date,open,high,low,close,volume
        2020-01-02,100,102,99,101,1000
        2020-01-03,102,105,101,104,1000
        2020-01-06,103,104,98,99,1000
        2020-01-07,98,100,95,96,1000
        2020-01-08,97,101,96,100,1000
        """
      And the file "eurusd.csv":
        """
        date,open,high,low,close
        2020-01-02,1.10,1.12,1.10,1.12
        2020-01-03,1.12,1.12,1.10,1.10
        2020-01-06,1.08,1.08,1.05,1.05
        2020-01-07,1.06,1.07,1.06,1.07
        2020-01-08,1.07,1.08,1.07,1.08
        """
      And the file "actions.csv":
        """
        symbol,date,kind,amount,ratio,price
        ACME,2020-01-06,split,,3:1,
        ACME,2020-01-07,dividend,0.50,,
        SAP,2020-01-08,dividend,2,,
        OTHER,2020-01-08,dividend,2,,
        """
      And the file "settings.json":
        """
        {"instruments": {"SAP": {"currency": "EUR", "borrowRate": 0.365}}}
        """
      And the file "orders.json":
        """
        {
          "cash": 10000,
          "orders": [
            { "bar": 0, "side": "buy", "symbol": "ACME", "units": 10, "stopLoss": 285 },
            { "bar": 1, "side": "buy", "symbol": "ACME", "units": 5, "type": "limit", "limit": 291 },
            { "bar": 0, "side": "sell", "symbol": "SAP", "units": 10 },
            { "bar": 3, "side": "close", "symbol": "SAP" }
          ]
        }
        """
      When the trader runs `sandtable run orders.json --data acme.csv sap.csv --fx eurusd.csv --actions actions.csv --settings settings.json --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | symbols        | ["ACME","SAP"] |
        | finalEquity    | 9927.6013      |
        | dividends      | -6.4           |
        | borrowFees     | -5.4987        |
        | interest       | 0              |
        | marginInterest | 0              |
      And the manifest says "actions.csv: ignored 1 row of OTHER, not in the data"
      And the manifest says "eurusd.csv"

    Scenario: Unknown symbols in the settings are reported before a run folder is created
      Given the file "prices.csv" with 20 simulated bars
      And the file "settings.json":
        """
        {"instruments": {"PRICE": {"lot": 5}}, "currencies": {"EUR": {"rate": "EURUSD"}}}
        """
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --settings settings.json --out runs`
      Then it ends with exit code 2
      And stderr says "instruments.PRICE: unknown symbol PRICE (did you mean PRICES?)"
      And stderr says "currencies.EUR.rate: unknown series EURUSD"
      And no run folder is left

    Scenario: A missing file of actions is reported
      Given the file "prices.csv" with 20 simulated bars
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --actions gone.csv --out runs`
      Then it ends with exit code 2
      And stderr says "gone.csv: the file or folder does not exist"
      And no run folder is left
