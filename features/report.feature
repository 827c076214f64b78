@spawn @browser
Feature: The report of a run
  report.html is one file that opens offline. It shows a new reader whether the run made money after all costs, against
  which benchmark, with which drawdown, and how strong the evidence is.

  Background:
    Given a browser is at hand

  Scenario Outline: A report opens on a <device> without network access and is accessible
    Given the file "prices.csv" with 600 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs --quiet`
    And the trader opens the report on a <device>
    Then the page says "Comparison with the benchmark"
    And the page says "Next"
    And its charts are drawn
    And nothing is wider than the screen
    And the page asks for nothing and complains of nothing
    And the page is accessible
    When he changes the theme
    Then the page is accessible
    And the page asks for nothing and complains of nothing

    Examples:
      | device  |
      | desktop |

    @deep
    Examples:
      | device  |
      | phone   |

  @deep
  Scenario: Trades can be sorted and filtered
    Given the file "prices.csv" with 600 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs --quiet`
    And the trader opens the report on a desktop
    Then the first trade shown is 1
    When he filters the trades by "no such trade"
    Then the page says "0 of"
    When he filters the trades by "short cross"
    And he sorts the trades by "#"
    Then the trades shown are all short, the last one first
    And the page asks for nothing and complains of nothing

  Scenario: A trade links to the decision that caused it
    Given the file "prices.csv" with 120 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=3 --param slow=9 --out runs --quiet`
    And the trader opens the report on a desktop
    Then the page says "npx sandtable trace"
    When the trader makes the trace of the run
    And the trader opens the report on a desktop
    And he steps to the next fill
    Then what is said of the chosen fill has ", ordered on "
    When he chooses the first trade
    Then what is said of the chosen fill has "Trade 1: "
    When he follows "how it was decided"
    Then the bar shown has "What became of it"
    When he follows "Report"
    Then the page says "Total return"
    And the page complains of nothing

  Scenario Outline: The layout of a report does not shift while it loads on a <device>
    Given the file "prices.csv" with 600 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs --quiet`
    And the trader opens the report on a <device>
    Then its charts are drawn
    And nothing moved while it opened

    Examples:
      | device  |
      | phone   |

    @deep
    Examples:
      | device  |
      | desktop |

  @deep
  Scenario: A long list of trades is shown a hundred at a time
    Given the file "prices.csv" with 1200 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=2 --param slow=4 --out runs --quiet`
    And the trader opens the report on a desktop
    Then 100 trades are laid out
    When he presses for more trades
    Then 200 trades are laid out
    When he sorts the trades by "Net P&L"
    Then the trades shown begin with the worst of all
    And the page asks for nothing and complains of nothing
