Feature: Data
  Bars come from the files that a trader already has. Unambiguous values are read as they are. Errors are refused, all
  together and with their lines. Nothing is fixed silently.

  Rule: Files as traders have them

    Scenario: Columns can be in any order and case, next to other columns
      Given the file "acme.csv":
        """
        Volume,Close,LOW,High,"Open",Adj Close,Timestamp
        1000,101,99,102,100,50.5,2020-01-06
        2000,104,101,105,102,52,2020-01-07
        """
      When the trader loads "acme.csv"
      Then the bars are:
        | symbol | date       | open | high | low | close | volume |
        | ACME   | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | ACME   | 2020-01-07 | 102  | 105  | 101 | 104   | 2000   |
      And nothing is said to be adjusted

    Scenario: A gzipped file is read
      Given the gzipped file "acme.csv.gz":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        """
      When the trader loads "acme.csv.gz"
      Then the bars are:
        | symbol | date       | close |
        | ACME   | 2020-01-06 | 101   |

    Scenario: A symbol column splits one file into several series
      Given the file "all.csv":
        """
        symbol,date,open,high,low,close,volume
        ZINC,2020-01-06,20,21,19,20,5
        ACME,2020-01-06,100,102,99,101,5
        ZINC,2020-01-07,20,22,19,21,5
        """
      When the trader loads "all.csv"
      Then the bars are:
        | symbol | date       | close |
        | ACME   | 2020-01-06 | 101   |
        | ZINC   | 2020-01-06 | 20    |
        | ZINC   | 2020-01-07 | 21    |

    Scenario Outline: Dates written as <first> are read
      Given a file whose dates are written "<first>" and "<second>"
      When the trader loads it
      Then the dates are "<one>" and "<other>"

      Examples:
        | first                | second               | one                 | other               |
        | 2020-01-15           | 2020-01-16           | 2020-01-15          | 2020-01-16          |
        | 2020/1/15            | 2020/1/16            | 2020-01-15          | 2020-01-16          |
        | 20200115             | 20200116             | 2020-01-15          | 2020-01-16          |
        | 15 Jan 2020          | 16 Jan 2020          | 2020-01-15          | 2020-01-16          |
        | Jan 15, 2020         | Jan 16, 2020         | 2020-01-15          | 2020-01-16          |
        | 15-Jan-2020          | 16-Jan-2020          | 2020-01-15          | 2020-01-16          |
        | 1/15/2020            | 1/16/2020            | 2020-01-15          | 2020-01-16          |
        | 15.01.2020           | 16.01.2020           | 2020-01-15          | 2020-01-16          |
        | 2020-01-15 09:30     | 2020-01-15 09:31     | 2020-01-15T09:30:00 | 2020-01-15T09:31:00 |
        | 2020-01-15T09:30:00Z | 2020-01-15T09:31:00Z | 2020-01-15T09:30:00 | 2020-01-15T09:31:00 |
        | 2020-01-15T09:30+01:00 | 2020-01-15T09:31+01:00 | 2020-01-15T08:30:00 | 2020-01-15T08:31:00 |
        | 1579046400           | 1579132800           | 2020-01-15          | 2020-01-16          |
        | 1579046400000        | 1579132800000        | 2020-01-15          | 2020-01-16          |

    Scenario: Ambiguous dates are refused
      Given a file whose dates are written "03/04/2020" and "04/04/2020"
      When the trader loads it
      Then loading is refused as bad_data
      And the refusal says "03/04/2020"
      And the refusal says "--date-order"

    Scenario Outline: Ambiguous dates are read in the order that the trader sets: <order>
      Given a file whose dates are written "03/04/2020" and "05/04/2020"
      When the trader loads it, dates being <order>
      Then the dates are "<one>" and "<other>"

      Examples:
        | order | one        | other      |
        | dmy   | 2020-04-03 | 2020-04-05 |
        | mdy   | 2020-03-04 | 2020-05-04 |

    Scenario: From and to are inclusive
      Given the file "sim.csv" with 10 simulated bars
      When the trader loads "sim.csv" from 2000-01-04 to 2000-01-06
      Then 3 bars are loaded

  Rule: Faults

    Scenario: All faults of a file are reported together, with their lines
      Given the file "bad.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        2020-01-07,102,101,101,104,1000
        2020-01-08,103,104,105,99,1000
        2020-01-09,98,100,95,nan,1000
        2020-01-09,98,100,95,96,-5
        2020-02-30,97,101,96,100,1000
        2020-01-08,97,101,96,100,1000
        2020-01-13,97,101,96
        2020-01-14,"1,097",1100,96,100,
        """
      When the trader loads "bad.csv"
      Then loading is refused as bad_data
      And loading is refused with these faults, and no others:
        | where           | fault                                                   |
        | bad.csv line 3  | high 101 is below close 104                             |
        | bad.csv line 4  | low 105 is above close 99                               |
        | bad.csv line 4  | high 104 is below low 105                               |
        | bad.csv line 5  | close "nan" is not a finite number                      |
        | bad.csv line 6  | volume is -5, less than 0                               |
        | bad.csv line 6  | 2020-01-09 repeats the time 2020-01-09 of line 5        |
        | bad.csv line 7  | "2020-02-30" is not a date of the calendar                 |
        | bad.csv line 8  | 2020-01-08 comes after the later 2020-01-09 of line 6   |
        | bad.csv line 9  | has 4 cells where the header has 6                      |
        | bad.csv line 10 | open "1,097" has thousands separators; write it without |
        | bad.csv line 10 | volume is empty                                         |

    Scenario: A daily bar among hourly bars is refused
      Given the file "mixed.csv":
        """
        date,open,high,low,close,volume
        2024-01-02 14:00,10,11,9,10,100
        2024-01-02 15:00,10,12,10,11,100
        2024-01-03,10,14,9,13,400
        2024-01-03 14:00,10,11,9,10,100
        2024-01-03 15:00,10,12,10,11,100
        2024-01-03 16:00,11,13,10,12,100
        2024-01-03 17:00,12,14,11,13,100
        """
      When the trader loads "mixed.csv"
      Then loading is refused as bad_data
      And loading is refused with these faults, and no others:
        | where            | fault                                                                                               |
        | mixed.csv line 4 | is a bar of the whole day: its open, high, low and close are those of the 4 following bars (remove such rows, because all bars of a series have the same length) |

    Scenario: All faults of all files are reported together
      Given the file "one.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,90,99,101,1000
        """
      And the file "two.csv":
        """
        date,open,high,low,close
        2020-01-06,100,102,99,101
        """
      When the trader loads "one.csv" and "two.csv"
      Then loading is refused as bad_data
      And the refusal says "one.csv line 2"
      And the refusal says "two.csv"
      And the refusal says "volume"

    Scenario: A missing file is reported
      When the trader loads "absent.csv"
      Then loading is refused as data_not_found
      And the refusal says "absent.csv"

    Scenario: Gaps are refused unless the trader allows them, and allowed gaps are reported
      Given the file "gaps.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        2020-01-07,,,,,
        2020-01-08,103,104,98,99,1000
        """
      When the trader loads "gaps.csv"
      Then loading is refused as bad_data
      And the refusal says "line 3"
      And the refusal says "--allow-gaps"
      When the trader loads "gaps.csv", allowing gaps
      Then the bars are:
        | date       | close |
        | 2020-01-06 | 101   |
        | 2020-01-08 | 99    |
      And it is said that "omitted 1 row without a value (line 3)"

  Rule: Simulated markets

    Scenario Outline: A <regime> market is reproducible and valid
      Given the file "sim.csv" with 300 simulated bars of a <regime> market
      When the trader loads "sim.csv"
      Then 300 bars are loaded
      And seed 7 makes the same 300 bars of a <regime> market twice, and seed 8 makes others

      Examples:
        | regime           |
        | random-walk      |
        | trend            |
        | mean-reverting   |
        | volatile         |
        | crash            |
        | regime-switching |
