Feature: Verification of results
  A run's journal is a chain of hashes. `verify` checks the chain, recalculates the tables and metrics, and repeats the
  run. `bundle` packs a run for another person.

  Background:
    Given the file "prices.csv" with 60 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=2 --param slow=5 --out runs --quiet`

  Scenario: A run is verified
    When the trader verifies the run
    Then it ends with exit code 0
    And stdout says "Verified: 7 verified, 0 failed, 2 not checked."
    And stdout says "rows follow from the journal"
    And stdout says "events are repeated from the data"

  Scenario Outline: An edit of <file> is reported
    When somebody changes `<from>` to `<to>` in the run's "<file>"
    And the trader verifies the run
    Then it ends with exit code 1
    And stdout says "NOT verified"
    And stdout says "<message>"

    Examples:
      | file          | from             | to               | message                                      |
      | journal.jsonl | "action":"buy"   | "action":"sell"  | the journal was changed after the run        |
      | summary.json  | "finalEquity": " | "finalEquity": "9 | differs from the figures of the journal in finalEquity |
      | equity.csv    | 0,2000           | 0,2001           | line 2 is                                    |
      | trades.csv    | long             | short            | but the journal gives                        |
      | manifest.json | "sealed": false  | "sealed": true   | differs from the journal or inputs.json in sealed |

  Scenario: A bundle is verified in another folder, with its data
    When the trader bundles the run as "run.tar.gz" with its data
    Then it ends with exit code 0
    When the file "prices.csv" is removed
    And the trader runs `sandtable verify run.tar.gz`
    Then it ends with exit code 0
    And stdout says "Add --replay if you trust the code of the strategy"
    And stdout says "the archive is not signed"
    When the trader runs `sandtable verify run.tar.gz --replay`
    Then it ends with exit code 0
    And stdout says "events are repeated from the data"
    And stdout says "Verified: 8 verified, 0 failed, 3 not checked."

  Scenario: A file that is not a bundle is refused
    When the trader runs `sandtable verify prices.csv`
    Then it ends with exit code 2
    And stderr says "prices.csv: it is not a tar archive, or it is damaged"

  Scenario: A killed run is verified up to the end of its journal
    When the run's journal is cut in the middle of line 30
    And the run has no other files than its journal and its inputs
    And the trader verifies the run
    Then it ends with exit code 0
    And stdout says "The run has no manifest.json"
    And stdout says "up to the bar at which the record ends"
