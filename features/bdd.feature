@spawn
Feature: Features written by users
  `sandtable/steps` lets a trader test strategies with features. The scenarios set up a new project exactly as
  docs/bdd.md describes, with the example folder in it.

  Background:
    Given a new project, set up as the guide says, with the example folder in it

  Scenario: The example runs and uses every step
    When its features run
    Then they pass
    And no step of Sandtable was left out

  @deep
  Scenario: A failed expectation is reported in a trader's words
    When its profile "failing" runs
    Then these are its failures:
      | scenario                         | says                                                                              |
      | A bound that is missed           | sma-cross: the Sharpe ratio is -0.440845, not above 0.5.                          |
      | A figure that the run does not have | buy-and-hold: the win rate is not defined: no trade was closed.                |
      | A figure that there is not       | Unknown figure "sharp ratio". Did you mean "Sharpe ratio"?                    |
      | A share without its sign         | The total return is a percentage. Write 5% instead of 5.                            |
      | A drawdown that could not be deeper | A drawdown is compared by its depth. Write 20% instead of -20%.                     |
      | Strategies the wrong way round   | sma-cross is not better than buy-and-hold in total return: -12.779312% against 13.055385%. |
      | Other terms                      | free and dear were not on the same terms:                                         |
      | Another first trade              | row 1: entry is 104.14, not 104.15                                                |
      | A strategy that fails            | error: strategies/breaks.ts failed at bar 9: the tenth bar was too much           |
      | A failure that nobody asked for  | breaks is not a complete run: it ended "failed" after 9 bars.                        |
      | Data that are not there          | no-such-prices.csv: the file or folder does not exist                               |
    And each names the run that it is about, if there is one
    And none of them shows a stack trace

  Scenario: Every example of the reference is a valid step
    When the examples of the guide are gone through without being run
    Then they pass
