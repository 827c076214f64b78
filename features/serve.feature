Feature: All runs in the browser
  `sandtable serve` shows the runs of a folder in the browser of this machine only.

  @browser
  Scenario Outline: The list of runs on a <device> is searchable, sortable and accessible
    Given a browser is at hand
    And the run "20260101-apple" of 10 bars in "runs"
    And the run "20260102-pear" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs on a <device>
    Then the runs listed are "20260102-pear 20260101-apple"
    And nothing is wider than the screen
    And the page is accessible
    When he sorts the runs by "Run"
    Then the runs listed are "20260101-apple 20260102-pear"
    When he searches for "APPLE"
    Then the runs listed are "20260101-apple"
    And the page says "1 of 2 runs"
    When he searches for "nothing like it"
    Then the page says "No run matches."
    When he changes the theme
    Then the page is accessible
    And the page asks its own server only and complains of nothing

    Examples:
      | device |
      | phone  |

    @deep
    Examples:
      | device  |
      | desktop |

  @browser
  Scenario: The view of the list is stored in its address
    Given a browser is at hand
    And the run "alpha" of 10 bars in "runs"
    And the run "omega" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs on a desktop
    And he hides the column "Sharpe"
    And he sorts the runs by "Return"
    And he searches for "alpha"
    Then the runs listed are "alpha"
    And the address ends with "/?search=alpha&sort=-totalReturn&hide=sharpe"
    And the page is accessible
    When the trader opens "/?sort=runId&group=none" of the server on a desktop
    Then the runs listed are "alpha omega"

  @browser @deep
  Scenario: A view is stored under a name in the browser
    Given a browser is at hand
    And the run "first" of 10 bars in "runs"
    And the run "second" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs on a desktop
    And he searches for "second state:completed"
    And he keeps the view as "<b>mine</b>"
    Then the page says "is kept in this browser"
    And the page is accessible
    When he searches for "nothing like it"
    And he goes to the view "<b>mine</b>"
    Then the runs listed are "second"
    And the address ends with "/?search=second+state%3Acompleted"
    When he goes to the view "Under way"
    Then the page says "No run matches."
    And the page asks its own server only and complains of nothing

  @browser
  Scenario: Tags are stored in the folder of the run
    Given a browser is at hand
    And the run "first" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs on a desktop
    And he tags "first" with "promising, <b>bold</b>"
    Then the page says "promising"
    And the page says "<b>bold</b>"
    And the page is accessible
    When he searches for "promising"
    Then the runs listed are "first"
    And the file "runs/first/notes.json" says "promising"

  @browser
  Scenario: Deleting requires confirmation
    Given a browser is at hand
    And the run "first" of 10 bars in "runs"
    And the run "second" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs on a phone
    And he asks to delete "first"
    Then the page says "This cannot be undone."
    And the page is accessible
    When he answers "Keep it"
    Then the runs listed are "second first"
    When he asks to delete "first"
    And he answers "Delete"
    Then the runs listed are "second"
    And there is no run "first" in "runs"
    And the page asks its own server only and complains of nothing

  @browser
  Scenario: Without the token runs are read-only
    Given a browser is at hand
    And the run "first" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs without its token on a desktop
    Then the page says "Opened without the token"
    And there is nothing to delete or tag
    And the page is accessible

  @browser
  Scenario: The list links to report, trace and comparison
    Given a browser is at hand
    And the run "first" of 10 bars in "runs"
    And the run "second" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader opens the list of runs on a desktop
    And he follows "first"
    Then the page says "Total return"
    When he follows "Trace"
    Then the page says "What happened"
    When he follows "All runs"
    And he compares "first" and "second"
    Then the page says "2 runs compared"
    And the page asks its own server only and complains of nothing
    And the page is accessible

  @browser
  Scenario: A run in progress is updated in the list and in its trace
    Given a browser is at hand
    And the run "growing" of 10 bars in "runs", of which 4 bars are processed
    And the runs in "runs" are served
    When the trader opens the list of runs on a desktop
    Then the page says "4 of 10 bars"
    When the run "growing" in "runs" goes on to 7 bars
    Then the page says "7 of 10 bars"
    When the trader opens the trace of "growing" at "" on a phone
    Then the page says "7 of 10 bars"
    And the bars listed are "2 3 5 6"
    When the run "growing" in "runs" goes on to its end
    Then the page says "10 of 10 bars"
    And the page says "This run has ended: completed, equity 1,009."
    And the bars listed are "2 3 5 6 7 8"
    And the page asks its own server only and complains of nothing

  @browser @deep
  Scenario: A damaged run has a report of its undamaged part
    Given a browser is at hand
    And the run "damaged" of 10 bars in "runs", with a damaged line 8
    And the runs in "runs" are served
    When the trader opens "/runs/damaged/report" of the server on a phone
    Then the page says "Line 8 is damaged"
    And nothing is wider than the screen
    When the trader opens "/runs/damaged/trace" of the server on a phone
    Then the page says "Line 8 is damaged"
    When the trader opens "/" of the server on a phone
    Then the page says "damaged"
    When the trader opens "/runs/nowhere/report" of the server on a phone
    Then the page says "There is no such run here."
    And the page is accessible

  @browser
  Scenario: Names in a run are shown as text on every page
    Given a browser is at hand
    And the run "first" of 10 bars in "runs"
    And the run "<img src=x onerror=alert(3)>" of 10 bars in "runs", with HTML and script in every name
    And the runs in "runs" are served
    When the trader opens the list of runs on a desktop
    Then the page says "<img src=x onerror=alert(3)>"
    And nothing of it was run
    When he compares "<img src=x onerror=alert(3)>" and "first"
    Then the page says "2 runs compared"
    And the page says "<img src=x onerror=alert(1)>"
    And nothing of it was run
    When the trader opens the report of "<img src=x onerror=alert(3)>" on a desktop
    Then the page says "<img src=x onerror=alert(1)>"
    And nothing of it was run
    When he steps to the next fill
    Then what is said of the chosen fill has "Bought "
    And nothing of it was run
    And the page asks its own server only and complains of nothing

  @spawn
  Scenario: Ctrl-C ends the server with exit code 0
    Given the run "first" of 10 bars in "runs"
    When the trader serves "runs" until it says where
    And the trader ends the serving with Ctrl-C
    Then the serving ended with exit code 0

  @spawn
  Scenario: A missing folder and an invalid port are refused
    When the trader runs `sandtable serve nowhere`
    Then it ends with exit code 2
    And stderr says "Cannot read nowhere"
    When the trader runs `sandtable serve . --port 99999`
    Then it ends with exit code 2
    And stderr says "is not a whole number from 0 to 65535"
    And there is no stack trace

  @spawn
  Scenario: A port in use is refused
    Given the run "first" of 10 bars in "runs"
    And the runs in "runs" are served
    When the trader serves "runs" on the same port
    Then it ends with exit code 2
    And stderr says "is in use by another program."
