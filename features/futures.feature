Feature: Futures and perpetual contracts
  A futures trader holds dated contracts one after another: a continuous series says whose bars count when, and the rolls
  say what it costs to go on. Nothing of a later roll, or of a later rate, is there before its time.

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

  Rule: One series is made of dated contracts

    Scenario Outline: <rule>, <adjust>
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

      Examples: Wednesday the new contract trades more, and that is known when Wednesday is over
        | rule   | adjust | first                             | roll bar                       | roll                                                 |
        | volume | none   | 2024-03-04,100,102,99,101,50      | 2024-03-07,108.5,111,107,110,90 | ES,2024-03-07,ESH4,ESM4,103,108.5,5.5,1.053398058252 |
        | volume | back   | 2024-03-04,105.5,107.5,104.5,106.5,50 | 2024-03-07,108.5,111,107,110,90 | ES,2024-03-07,ESH4,ESM4,103,108.5,5.5,1.053398058252 |

      Examples: Two days before the eighth, and on the date that the file names
        | rule   | adjust | first                        | roll bar                    | roll                                              |
        | days:2 | none   | 2024-03-04,100,102,99,101,50 | 2024-03-06,107,109,106,108,60 | ES,2024-03-06,ESH4,ESM4,102,107,5,1.049019607843 |
        | dates  | back   | 2024-03-04,105,107,104,106,50 | 2024-03-06,107,109,106,108,60 | ES,2024-03-06,ESH4,ESM4,102,107,5,1.049019607843 |

    Scenario: A ratio keeps what a day made in per cent
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll dates --adjust ratio --out es.csv --rolls rolls.csv`
      Then the file "es.csv" has the lines:
        """
        2024-03-05,105.950980392,108.049019608,104.901960784,107,50
        """

    Scenario: Everything that is missing, at once
      When the trader runs `sandtable data continuous ESH4.csv --roll soon`
      Then it ends with exit code 2
      And stderr says '--roll: "soon" is no rule: use volume, days:5 (before expiry) or dates'
      And stderr says "--name: give the series a symbol, such as ES"
      And stderr says "--expiries: name a file with the last days of trading: contract,expiry"
      And stderr says "--adjust: say what is done to the bars before a roll: back, ratio or none"
      And stderr says "--rolls: say where the rolls go"
      And stderr says "--out: say where the bars go"

    Scenario: Expiries that are none, by line
      Given the file "bad.csv":
        """
        contract,expiry
        ESH4,2024-03-32
        ESM4,2024-06-21
        ESM4,2024-06-21
        """
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries bad.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      Then it ends with exit code 2
      And stderr says 'bad.csv line 2: expiry "2024-03-32" is no date'
      And stderr says "bad.csv line 4: repeats the contract ESM4 of "

    Scenario: A contract with bars after its last day
      Given the file "early.csv":
        """
        contract,expiry
        ESH4,2024-03-06
        """
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries early.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      Then it ends with exit code 2
      And stderr says "ESH4: has a bar of 2024-03-07, after it expired on 2024-03-06"
      And stderr says "ESM4: has no expiry"
