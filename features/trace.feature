@browser
Feature: The trace of a run
  For each bar, the trace shows everything that the agent saw, called, answered and ordered, and the outcome. It
  explains each trade. Rule strategies have a trace too.

  Background:
    Given a browser is at hand

  @spawn
  Scenario Outline: The trace is one file that works offline on a <device> and is accessible
    Given the file "prices.csv" with 120 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=3 --param slow=9 --out runs --quiet`
    And the trader makes the trace of the run
    And the trader opens the trace of the run on a <device>
    Then the page says "Trace of sma-cross"
    And the overview is drawn
    And nothing is wider than the screen
    When he chooses the first bar of the list
    Then the bar shown has "What became of it"
    And the bar shown has "accepted → filled"
    And the bar shown has "Since the last decision"
    And the page asks for nothing and complains of nothing
    And the page is accessible
    When he changes the theme
    Then the page is accessible
    And nothing is wider than the screen

    Examples:
      | device  |
      | desktop |

    @deep
    Examples:
      | device  |
      | phone   |

  Scenario: A decision of a model is shown from the request to the trade
    Given the run "by-hand" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the trace of "by-hand" at "#bar=2" on a desktop
    Then the bar shown has "the observation of bar 2"
    And the bar shown has "Let me look."
    And the bar shown has the Python "latest(ta.rsi(df.close, 14))" with "rsi" as a call
    And the bar shown has "10 in (0 cached), 2 out"
    And the bar shown has "0.0002 USD"
    When he follows "trade 1 ended on bar 8"
    Then the address ends with "#bar=8"
    And the bar shown has "Trade 1 closed"
    And the bar shown has "enough"
    And the page asks its own server only and complains of nothing
    And the page is accessible

  Scenario: The arrow keys move from bar to bar, and filters select the bars
    Given the run "by-hand" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the trace of "by-hand" at "" on a desktop
    Then the bars listed are "2 3 5 6 7 8"
    And the address ends with "#bar=2"
    When he presses "ArrowRight"
    Then the address ends with "#bar=3"
    When he presses "ArrowLeft"
    Then the address ends with "#bar=2"
    When he shows "errors" only
    Then the bars listed are "5 6"
    When he presses "ArrowRight"
    Then the address ends with "#bar=5"
    And the bar shown has "NameError: name 'dff' is not defined"
    And the bar shown has "Use df."
    When he chooses the tool "compute"
    Then the bars listed are "5"
    When he shows all again
    And he searches for "rsi df.close"
    Then the bars listed are "2"
    When he shows all again
    And he types the trade 1
    Then the bars listed are "2 3 7 8"
    And the page asks its own server only and complains of nothing
    And the page is accessible

  Scenario: A click in the chart selects the bar
    Given the run "by-hand" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the trace of "by-hand" at "" on a desktop
    And he clicks into the middle of the overview
    Then the bar shown is one from 2 to 7

  Scenario: An unknown bar is reported with the range of bars
    Given the run "by-hand" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the trace of "by-hand" at "#bar=77" on a phone
    Then the page says "The journal has no bar 77; its bars are 0 to 9."
    And nothing is wider than the screen

  Scenario: The trace of a killed run shows the recorded part and reports the missing part
    Given the run "killed" of 10 bars in "runs", of which the last 300 characters are lost
    And the runs in "runs" are served
    When the trader opens the trace of "killed" at "#bar=2" on a phone
    Then the page says "is incomplete and was ignored."
    And the page says "the run was killed"
    And the bar shown has "Let me look."
    And nothing is wider than the screen
    And the page is accessible

  Scenario: Names in a run are shown as text
    Given the run "hostile" of 10 bars in "runs", with HTML and script in every name
    And the runs in "runs" are served
    When the trader opens the trace of "hostile" at "#bar=2" on a desktop
    Then the bar shown has "<img src=x onerror=alert(1)>"
    And nothing of it was run
    And the page asks its own server only and complains of nothing

  @deep
  Scenario: The trace of a very long run is one file, which the browser unpacks in parts
    Given the run "large" of 100001 quiet bars in "runs"
    When the trader runs `sandtable trace runs/large` in his folder
    Then it ends with exit code 0
    When the trader opens the trace of the run on a desktop
    And he goes to bar 99000
    Then the bar shown has "Bar 99000"
    And the page asks for nothing and complains of nothing
