Feature: Files are read correctly or refused
  A file that cannot be read as intended is an error with its place. No row, column or symbol is dropped silently.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2024-01-01,10,11,9,10,1000
      2024-01-02,10,11,9,10,1000
      2024-01-03,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      """
    And the file "orders.json":
      """
      {"orders": [{"bar": 0, "side": "buy", "units": 1}]}
      """

  Scenario: A universe with misspelt columns is refused with the nearest names
    Given the file "universe.csv":
      """
      symbol,valid_from,To Date
      ACME,2024-01-01,2024-01-02
      """
    When the trader runs `sandtable run orders.json --data acme.csv --universe universe.csv --out runs`
    Then it ends with exit code 2
    And stderr says 'unknown column "valid_from" (did you mean "from"? Known columns: symbol, from, to)'
    And stderr says 'unknown column "To Date" (did you mean "to"?'

  Scenario: A misspelt available_at is refused, not read as a feature
    Given the file "rates.csv":
      """
      date,availabel_at,rate
      2024-01-01,2024-01-03,5
      """
    When the trader runs `sandtable run orders.json --data acme.csv --features rates.csv --out runs`
    Then it ends with exit code 2
    And stderr says 'unknown column "availabel_at" (did you mean "available_at"?'

  Scenario: A side file without a symbol of the data is refused
    Given the file "funding.csv":
      """
      symbol,date,rate
      BTC,2024-01-01T08:00,0.0001
      """
    And the file "actions.csv":
      """
      symbol,date,kind,amount
      OTHER,2024-01-02,dividend,1
      """
    When the trader runs `sandtable run orders.json --data acme.csv --funding funding.csv --actions actions.csv --out runs --quiet`
    Then it ends with exit code 2
    And stderr says 'funding.csv: the data contain no symbol of this file: BTC'
    And stderr says 'actions.csv: the data contain no symbol of this file: OTHER'
    And stderr says 'Spell symbols as in the data: ACME.'

  Scenario: A side file with some symbols of the data gives a warning, also with --quiet
    Given the file "actions.csv":
      """
      symbol,date,kind,amount
      ACME,2024-01-02,dividend,1
      OTHER,2024-01-02,dividend,1
      """
    When the trader runs `sandtable run orders.json --data acme.csv --actions actions.csv --out runs --quiet`
    Then it ends with exit code 0
    And stderr says 'actions.csv: ignored 1 row of OTHER, not in the data'
    When the trader runs `sandtable compute "1" --data acme.csv --actions actions.csv`
    Then it ends with exit code 0
    And stderr says 'actions.csv: ignored 1 row of OTHER, not in the data'
    When the trader runs `sandtable data check acme.csv --actions actions.csv`
    Then it ends with exit code 0
    And stderr says 'actions.csv: ignored 1 row of OTHER, not in the data'

  Scenario: An adjusted close next to the close is reported and can be used
    Given the file "yahoo.csv":
      """
      Date,Open,High,Low,Close,Adj Close,Volume
      2024-01-01,10,12,8,10,5,1000
      2024-01-02,10,11,9,10,10,1000
      """
    When the trader runs `sandtable data check yahoo.csv`
    Then it ends with exit code 0
    And stdout says 'yahoo.csv: close is read from column "Close", not from "Adj Close"; for adjusted prices use --columns close="Adj Close"'
    When the trader runs `sandtable run orders.json --data yahoo.csv --out runs --quiet`
    Then it ends with exit code 0
    And stderr says 'close is read from column "Close", not from "Adj Close"'
    When the trader runs `sandtable data convert yahoo.csv --columns 'close=Adj Close' --out adjusted.csv`
    Then it ends with exit code 0
    And the file "adjusted.csv" has the lines:
      """
      date,open,high,low,close,volume
      2024-01-01,5,6,4,5,1000
      2024-01-02,10,11,9,10,1000
      """

  Scenario: A calendar that does not cover the data is refused with both ranges
    Given the file "days.csv":
      """
      date,closes
      2023-12-25,
      """
    When the trader runs `sandtable run orders.json --data acme.csv --calendar days.csv --out runs`
    Then it ends with exit code 2
    And stderr says 'The calendar days.csv does not cover the data: it covers 2023-01-01 to 2023-12-31, and the data run from 2024-01-01 to 2024-01-04.'
    When the trader runs `sandtable data check acme.csv --calendar days.csv`
    Then it ends with exit code 2
    And stderr says 'it covers 2023-01-01 to 2023-12-31'

  Scenario: An unknown calendar lists the known ones
    When the trader runs `sandtable data check acme.csv --calendar NYSE`
    Then it ends with exit code 2
    And stderr says 'Known calendars: XNYS, XNAS, XLON, XETR, XTKS'

  Scenario: Many equal faults are reported in one line
    Given the file "many.csv":
      """
      date,open,high,low,close,volume
      2024-01-01,10,11,9,10,"1,000"
      2024-01-02,10,11,9,10,"2,000"
      2024-01-03,10,11,9,10,"3,000"
      2024-01-04,10,11,9,10,"4,000"
      2024-01-05,10,11,9,10,"5,000"
      """
    When the trader runs `sandtable data check many.csv`
    Then it ends with exit code 2
    And stderr says 'many.csv: 5 rows have this fault, the first in line 2: volume "1,000" has thousands separators'

  Scenario: A day without a bar of one symbol is reported
    Given the file "folder/AAA.csv":
      """
      date,open,high,low,close,volume
      2024-01-02,10,11,9,10,1000
      2024-01-03,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      """
    And the file "folder/BBB.csv":
      """
      date,open,high,low,close,volume
      2024-01-02,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      """
    When the trader runs `sandtable data check folder`
    Then it ends with exit code 0
    And stdout says '1 × no bar on a day on which another symbol has one: 2024-01-03'

  Scenario: A day without a bar of several symbols is reported once
    Given the file "three/AAA.csv":
      """
      date,open,high,low,close,volume
      2024-01-02,10,11,9,10,1000
      2024-01-03,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      """
    And the file "three/BBB.csv":
      """
      date,open,high,low,close,volume
      2024-01-02,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      """
    And the file "three/CCC.csv":
      """
      date,open,high,low,close,volume
      2024-01-02,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      """
    When the trader runs `sandtable data check three`
    Then it ends with exit code 0
    And stdout says 'missing: 2 symbols (BBB, CCC) have no bar on 1 day on which 1 other symbol has a bar: 2024-01-03'
