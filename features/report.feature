@spawn
Feature: The report of a run
  report.html is one file that opens offline. It answers, for somebody who has never seen the project: did it make money
  after all costs, compared with what, how bad did it get, and can I believe it?

  Background:
    Given a browser is at hand

  Scenario Outline: It opens on a <device>, asks for nothing, and everybody can use it
    Given the file "prices.csv" with 600 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs --quiet`
    And the trader opens the report on a <device>
    Then the page says "after all costs"
    And the page says "Buying and holding would have returned"
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
      | phone   |

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
