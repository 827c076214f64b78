Feature: Futures and perpetual contracts
  A futures trader uses dated contracts one after another. A continuous series joins their bars, and the rolls state the
  cost of each change. A later roll or funding rate is never visible early.

  Background:
    Given the file "ESH4.csv":
      """
      date,open,high,low,close,volume
      2024-03-04,100,102,99,101,50
      2024-03-05,101,103,100,102,50
      2024-03-06,102,104,101,103,40
      2024-03-07,103,105,102,104,10
      2024-03-08,104,106,103,105,5
      """
    And the file "ESM4.csv":
      """
      date,open,high,low,close,volume
      2024-03-05,106,108,105,107,20
      2024-03-06,107,109,106,108,60
      2024-03-07,108.5,111,107,110,90
      2024-03-08,110,112,109,111,90
      2024-03-11,111,113,110,112,90
      """
    And the file "expiries.csv":
      """
      contract,expiry,roll
      ESH4,2024-03-08,2024-03-06
      ESM4,2024-06-21,2024-06-14
      """

  Rule: A continuous series is built from dated contracts

    Scenario Outline: Contracts roll by <rule> with the adjustment <adjust>
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll <rule> --adjust <adjust> --out es.csv --rolls rolls.csv`
      Then it ends with exit code 0
      And stdout says "wrote 6 bars of ES to "
      And stdout says "wrote 1 roll to "
      And the file "es.csv" has the lines:
        """
        <first>
        <roll bar>
        """
      And the file "rolls.csv" has the lines:
        """
        symbol,date,from,to,from_price,to_price,gap,ratio
        <roll>
        """

      Examples: The new contract has more volume on Wednesday, which is known after Wednesday
        | rule   | adjust | first                             | roll bar                       | roll                                                 |
        | volume | none   | 2024-03-04,100,102,99,101,50      | 2024-03-07,108.5,111,107,110,90 | ES,2024-03-07,ESH4,ESM4,103,108.5,5.5,1.053398058252 |
        | volume | back   | 2024-03-04,105.5,107.5,104.5,106.5,50 | 2024-03-07,108.5,111,107,110,90 | ES,2024-03-07,ESH4,ESM4,103,108.5,5.5,1.053398058252 |

      Examples: Two days before the expiry, and on the date in the file
        | rule   | adjust | first                        | roll bar                    | roll                                              |
        | days:2 | none   | 2024-03-04,100,102,99,101,50 | 2024-03-06,107,109,106,108,60 | ES,2024-03-06,ESH4,ESM4,102,107,5,1.049019607843 |
        | dates  | back   | 2024-03-04,105,107,104,106,50 | 2024-03-06,107,109,106,108,60 | ES,2024-03-06,ESH4,ESM4,102,107,5,1.049019607843 |

    Scenario: A ratio adjustment preserves daily returns
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll dates --adjust ratio --out es.csv --rolls rolls.csv`
      Then the file "es.csv" has the lines:
        """
        2024-03-05,105.950980392,108.049019608,104.901960784,107,50
        """

    Scenario: All missing flags are reported together
      When the trader runs `sandtable data continuous ESH4.csv --roll soon`
      Then it ends with exit code 2
      And stderr says '--roll: "soon" is not a roll rule. Expected volume, days:5 (before expiry) or dates'
      And stderr says "--name: is missing. Pass the symbol of the series, for example ES"
      And stderr says "--expiries: is missing. Pass a file with the expiries: contract,expiry"
      And stderr says "--adjust: is missing. Pass how bars before a roll are adjusted: back, ratio or none"
      And stderr says "--rolls: is missing. Pass a .csv file for the rolls"
      And stderr says "--out: is missing. Pass an output file"

    Scenario: Invalid expiries are reported with their lines
      Given the file "bad.csv":
        """
        contract,expiry
        ESH4,2024-03-32
        ESM4,2024-06-21
        ESM4,2024-06-21
        """
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries bad.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      Then it ends with exit code 2
      And stderr says 'bad.csv line 2: expiry "2024-03-32" is not a date'
      And stderr says "bad.csv line 4: repeats the contract ESM4 of "

    Scenario: A contract with bars after its expiry is refused
      Given the file "early.csv":
        """
        contract,expiry
        ESH4,2024-03-06
        """
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries early.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      Then it ends with exit code 2
      And stderr says "ESH4: has a bar of 2024-03-07, after it expired on 2024-03-06"
      And stderr says "ESM4: has no expiry"

  Rule: An open position is rolled with its costs

    Background:
      Given 10000 in cash
      And these bars of ES:
        | date       | open  | high | low | close | volume |
        | 2024-03-04 | 100   | 102  | 99  | 101   | 50     |
        | 2024-03-05 | 101   | 103  | 100 | 102   | 50     |
        | 2024-03-06 | 102   | 104  | 101 | 103   | 40     |
        | 2024-03-07 | 108.5 | 111  | 107 | 110   | 90     |
        | 2024-03-08 | 110   | 112  | 109 | 111   | 90     |
        | 2024-03-11 | 111   | 113  | 110 | 112   | 90     |
      And these rolls of ES:
        | date       | from | to   | at  | into  |
        | 2024-03-07 | ESH4 | ESM4 | 103 | 108.5 |

    # 2 × (103 − 101) = 4 in the old contract and 2 × (112 − 108.50) = 7 in the new one: the gap of 5.50 is not a profit.
    Scenario: A roll closes the old contract and opens the new one
      Given the trader orders:
        | date       | action | quantity |
        | 2024-03-04 | buy    | 2        |
      When the backtest runs
      Then these rolls happen:
        | date       | from | to   | fromPrice | toPrice | gap | quantity |
        | 2024-03-07 | ESH4 | ESM4 | 103       | 108.5   | 5.5 | 2        |
      And these fills happen:
        | date       | side | quantity | price | reason |
        | 2024-03-05 | buy  | 2        | 101   |        |
        | 2024-03-07 | sell | 2        | 103   | roll   |
        | 2024-03-07 | buy  | 2        | 108.5 | roll   |
      And these trades are closed:
        | side | entry date | exit date  | entry | exit | reason | net |
        | long | 2024-03-05 | 2024-03-07 | 101   | 103  | roll   | 4   |
      And the account at each close is:
        | date       | cash  | equity |
        | 2024-03-04 | 10000 | 10000  |
        | 2024-03-05 | 9798  | 10002  |
        | 2024-03-06 | 9798  | 10004  |
        | 2024-03-07 | 9787  | 10007  |
        | 2024-03-08 | 9787  | 10009  |
        | 2024-03-11 | 9787  | 10011  |
      And the profits and all cash explain the equity, to the last decimal

    # 1 % of 202, 206 and 217; and half a point a unit worse: bought at 101.50, out at 102.50, in at 109.
    Scenario: Both fills of a roll pay commission and slippage
      Given a commission of 1%
      And slippage of 0.5 a unit
      And the trader orders:
        | date       | action | quantity |
        | 2024-03-04 | buy    | 2        |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price | commission |
        | 2024-03-05 | buy  | 2        | 101.5 | 2.03       |
        | 2024-03-07 | sell | 2        | 102.5 | 2.05       |
        | 2024-03-07 | buy  | 2        | 109   | 2.18       |
      And the final equity is 10001.74

    # Short 2 at 101: 2 × (101 − 103) = −4, and 2 × (108.50 − 112) = −7.
    Scenario: A roll buys back a short position and sells the new contract
      Given the trader orders:
        | date       | action | quantity |
        | 2024-03-04 | sell   | 2        |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price |
        | 2024-03-05 | sell | 2        | 101   |
        | 2024-03-07 | buy  | 2        | 103   |
        | 2024-03-07 | sell | 2        | 108.5 |
      And the final equity is 9989

    # A limit at 97 is 6 below 103, and 102.50 is 6 below 108.50. A stop that would fall to zero is cancelled.
    Scenario: A roll moves resting orders by the gap
      Given the trader places:
        | date       | action | quantity | type  | limit | stop |
        | 2024-03-04 | buy    | 1        | limit | 97    |      |
        | 2024-03-04 | buy    | 1        | stop  |       | 120  |
      When the backtest runs
      Then these orders are adjusted:
        | date       | orderId | limitPrice | stopPrice |
        | 2024-03-07 | 1       | 102.5      |           |
        | 2024-03-07 | 2       |            | 125.5     |
      And the final equity is 10000

    # The take profit at 105 is 4 above the entry. After the roll it is at 110.50, which the high of 111 reaches.
    # 2 × (103 − 101) before the roll and 2 × (110.50 − 108.50) after it: 8.
    Scenario: A roll moves the exits with the position
      Given the trader places:
        | date       | action | quantity | takeProfit | stopLoss |
        | 2024-03-04 | buy    | 2        | 105        | 99.5     |
      When the backtest runs
      Then these orders are adjusted:
        | date       | orderId | limitPrice | stopPrice |
        | 2024-03-07 | 2       |            | 105       |
        | 2024-03-07 | 3       | 110.5      |           |
      And these fills happen:
        | date       | side | quantity | price |
        | 2024-03-05 | buy  | 2        | 101   |
        | 2024-03-07 | sell | 2        | 103   |
        | 2024-03-07 | buy  | 2        | 108.5 |
        | 2024-03-07 | sell | 2        | 110.5 |
      And the final equity is 10008

    Scenario: A roll without a position makes no trade
      Given the trader orders:
        | date       | action | quantity |
        | 2024-03-04 | buy    | 2        |
        | 2024-03-05 | close  |          |
      When the backtest runs
      Then these rolls happen:
        | date       | gap | quantity |
        | 2024-03-07 | 5.5 | 0        |
      And the final equity is 10002

  Rule: Holders of a perpetual contract pay each other funding

    Background:
      Given 10000 in cash
      And these bars of BTC:
        | date             | open | high | low | close | volume |
        | 2024-01-01T00:00 | 100  | 102  | 99  | 101   | 1000   |
        | 2024-01-01T08:00 | 102  | 105  | 101 | 104   | 1000   |
        | 2024-01-01T16:00 | 103  | 104  | 98  | 99    | 1000   |
        | 2024-01-02T00:00 | 98   | 100  | 95  | 96    | 1000   |

    # Bought at 102 as the bar of 08:00 begins. The rate of 08:00 comes before that; the one of 12:00 lies inside the bar and
    # is charged at its close: 10 × 104 × 0.001. That of 16:00 comes at the open of 103, before anything fills there.
    Scenario: A long position pays funding at each time while it is open
      Given these funding rates of BTC:
        | date             | rate   |
        | 2024-01-01T08:00 | 0.01   |
        | 2024-01-01T12:00 | 0.001  |
        | 2024-01-01T16:00 | -0.002 |
        | 2024-01-02T00:00 | 0.01   |
      And the trader orders:
        | date             | action | quantity |
        | 2024-01-01T00:00 | buy    | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date             | kind    | symbol | time             | quantity | base | fundingRate | amount | cash    |
        | 2024-01-01T08:00:00 | funding | BTC | 2024-01-01T12:00:00 | 10  | 1040 | 0.001       | -1.04  | 8978.96 |
        | 2024-01-01T16:00:00 | funding | BTC | 2024-01-01T16:00:00 | 10  | 1030 | -0.002      | 2.06   | 8981.02 |
        | 2024-01-02       | funding | BTC    | 2024-01-02       | 10       | 980  | 0.01        | -9.8   | 8971.22 |
      And the final equity is 9931.22
      And the profits and all cash explain the equity, to the last decimal

    Scenario: A short position receives funding, also when it is closed at the open of that bar
      Given these funding rates of BTC:
        | date             | rate |
        | 2024-01-01T16:00 | 0.01 |
      And the trader orders:
        | date             | action | quantity |
        | 2024-01-01T00:00 | sell   | 10       |
        | 2024-01-01T08:00 | close  |          |
      When the backtest runs
      Then this cash is paid and received:
        | date                | kind    | quantity | base | amount | cash    |
        | 2024-01-01T16:00:00 | funding | -10      | 1030 | 10.3   | 11030.3 |
      And the final equity is 10000.3

    Scenario: Without a rate there is no payment
      Given the trader orders:
        | date             | action | quantity |
        | 2024-01-01T00:00 | buy    | 10       |
      When the backtest runs
      Then no cash is paid or received beside the trades

  Rule: A funding rate is charged at its time in the sequence of a bar

    # Friday's bar is over at midnight. Saturday's rate is charged on what was carried from Friday, at Friday's close of 102,
    # before Monday's bar begins; that of Friday noon at Friday's close too.
    Scenario: A rate between two bars is charged at the previous mark
      Given 10000 in cash
      And these bars of PERP:
        | date       | open | high | low | close | volume |
        | 2020-01-02 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-03 | 100  | 103  | 99  | 102   | 1000   |
        | 2020-01-06 | 110  | 112  | 98  | 99    | 1000   |
      And these funding rates of PERP:
        | date             | rate |
        | 2020-01-03T12:00 | 0.01 |
        | 2020-01-04T12:00 | 0.01 |
        | 2020-01-06T00:00 | 0.01 |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | buy    | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date       | time                | base | amount |
        | 2020-01-03 | 2020-01-03T12:00:00 | 1020 | -10.2  |
        | 2020-01-06 | 2020-01-04T12:00:00 | 1020 | -10.2  |
        | 2020-01-06 | 2020-01-06          | 1100 | -11    |

  Rule: Files of funding rates

    Background:
      Given the file "btc.csv":
        """
        date,open,high,low,close,volume
        2024-01-01T00:00,100,102,99,101,1000
        2024-01-01T08:00,102,105,101,104,1000
        2024-01-01T16:00,103,104,98,99,1000
        2024-01-02T00:00,98,100,95,96,1000
        2024-01-02T08:00,96,97,95,96,1000
        """
      And the file "funding.csv":
        """
        symbol,date,rate
        BTC,2024-01-01T12:00,0.001
        BTC,2024-01-01T16:00,-0.002
        ETH,2024-01-01T16:00,0.5
        BTC,2024-01-02T08:00,0.01
        """
      And the file "orders.json":
        """
        { "cash": 10000, "orders": [{ "bar": 0, "side": "buy", "units": 10 }] }
        """

    Scenario: Funding times are read in the time zone of the bars
      When the trader runs `sandtable run orders.json --data btc.csv --funding funding.csv --timezone America/New_York --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | funding     | -8.58   |
        | finalEquity | 9931.42 |
      And stderr says "ETH"

    # −1.04 + 2.06 − 9.6 = −8.58; the price change costs 10 × (96 − 102) = −60.
    Scenario: A run reports its funding, and a changed file is not replayed
      When the trader runs `sandtable run orders.json --data btc.csv --funding funding.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | funding     | -8.58   |
        | finalEquity | 9931.42 |
      And stderr says "ETH"
      When the trader replays the run
      Then it ends with exit code 0
      Given the file "funding.csv":
        """
        symbol,date,rate
        BTC,2024-01-01T12:00,0.002
        """
      When the trader replays the run
      Then it ends with exit code 2
      And stderr says "funding.csv"

    @spawn @deep
    Scenario: Trials of a sweep pay funding
      Given the file "rules.ts":
        """
        import { defineStrategy, z } from 'sandtable';
        export default defineStrategy({
          name: 'holds',
          summary: 'Buys once.',
          parameters: z.object({ units: z.coerce.number().default(1) }),
          onBar({ bar, orders }, { parameters }) {
            if (bar === 0) orders.buy(parameters.units);
          },
        });
        """
      When the trader runs `sandtable sweep rules.ts --data btc.csv --funding funding.csv --cash 10000 --param units=10,20 --objective totalReturn --keep none --jobs 2 --out runs --quiet`
      Then it ends with exit code 0
      When the trader runs `sandtable query "select units, round(totalReturn * 10000, 6) as gained from trials order by units" --reports runs --csv`
      Then stdout says "10,-68.58"
      And stdout says "20,-137.16"

    Scenario: An MCP client pays funding
      When an MCP client connects to `sandtable mcp --data btc.csv --funding funding.csv --cash 10000`
      And the client calls trade_execute with `{"action": "buy", "quantity": 10}`
      And the client calls next_bar
      Then the answer holds `{"bar": 1, "cash": 8978.96}`

    Scenario: Duplicate, unordered and invalid rates are refused with their lines
      Given the file "bad.csv":
        """
        symbol,date,rate
        BTC,2024-01-01T08:00,0.001
        BTC,2024-01-01T08:00,0.001
        BTC,2024-01-01T04:00,0.001
        BTC,2024-01-02T04:00,high
        BTC,2024-01-32T04:00,2
        """
      When the trader runs `sandtable run orders.json --data btc.csv --funding bad.csv --out runs`
      Then it ends with exit code 2
      And stderr says "bad.csv line 3: repeats the time 2024-01-01T08:00:00 of"
      And stderr says "bad.csv line 4: 2024-01-01T04:00:00 is earlier than 2024-01-01T08:00:00 of"
      And stderr says 'bad.csv line 5: rate "high": give a fraction between -1 and 1'
      And stderr says 'bad.csv line 6: date "2024-01-32T04:00" is not a date'
      And stderr says 'bad.csv line 6: rate "2"'

  Rule: A run uses a file of rolls

    Background:
      Given the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      And the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'looks',
          summary: 'Notes what it is shown.',
          onBar({ window, bar, orders, record }) {
            record({ type: 'note', bar, text: `bar ${bar}: ${window.close.tail(9)} after ${window.rebasings.length}` });
            if (bar === 0) orders.buy(2);
          },
        });
        """

    # Buying and holding 10000 / 101 of it rolls too: 99.0099 × (2 + 3.50) = 544.55.
    Scenario: Prices are on the basis of the current contract, from its roll on
      When the trader runs `sandtable run rules.ts --data es.csv --rolls rolls.csv --cash 10000 --out runs`
      Then it ends with exit code 0
      And the journal has the note "bar 2: 101,102,103 after 0"
      And the journal has the note "bar 3: 106.5,107.5,108.5,110 after 1"
      When the trader runs `sandtable query "select round(benchmarkReturn, 6) as held, finalEquity from runs" --reports runs --csv`
      Then stdout says "0.054455,10011"
      When the trader replays the run
      Then it ends with exit code 0
      When the run's journal is cut in the middle of line 12
      And the trader resumes the run with "--quiet"
      Then it ends with exit code 0
      And the run's journal is as it was before the cut

    Scenario Outline: Python and tools show the same prices at bar <bar>
      When the trader runs `sandtable compute "df.close.tolist()" --data es.csv --rolls rolls.csv --bar <bar>`
      Then stdout says "<closes>"
      When the trader runs `sandtable tools call market_history --data es.csv --rolls rolls.csv --bar <bar>`
      Then stdout says '"bars":[["2024-03-04",<first>'

      Examples:
        | bar | closes                         | first                     |
        | 2   | [101,102,103]                  | 100,102,99,101,50         |
        | 3   | [106.5,107.5,108.5,110]        | 105.5,107.5,104.5,106.5,50 |

    @spawn @deep
    Scenario: A sealed strategy sees the same prices
      When the trader runs `sandtable run rules.ts --data es.csv --rolls rolls.csv --seal --out runs`
      Then it ends with exit code 0
      And the journal has the note "bar 3: 106.5,107.5,108.5,110 after 1"

    Scenario: Bars that do not match the rolls are refused
      Given the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll dates --adjust back --out es.csv --rolls others.csv`
      And the file "later.csv":
        """
        symbol,date,from,to,from_price,to_price
        ES,2024-03-06,ESH4,ESM4,102,106
        """
      When the trader runs `sandtable run rules.ts --data es.csv --rolls later.csv --out runs`
      Then it ends with exit code 2
      And stderr says "ES, roll of 2024-03-06: ESM4 is at 106, but the bar of 2024-03-06 opens at 107"

    Scenario: Invalid rolls are reported with their lines
      Given the file "bad.csv":
        """
        symbol,date,from,to,from_price,to_price,gap
        ES,2024-03-07,ESH4,ESM4,103,108.5,5
        ES,2024-03-06,ESM4,ESU4,0,108.5,
        ES,2024-03-08,ESH4,ESZ4,1,2,1
        """
      When the trader runs `sandtable run rules.ts --data es.csv --rolls bad.csv --out runs`
      Then it ends with exit code 2
      And stderr says 'bad.csv line 2: gap "5" is not to_price minus from_price: 5.5'
      And stderr says 'bad.csv line 3: from_price "0" is not a price above 0'
      And stderr says "bad.csv line 3: is not after the roll of ES before it, 2024-03-07"
      And stderr says "bad.csv line 4: rolls from ESH4, but the previous roll went into ESU4"
