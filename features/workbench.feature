@spawn @browser
Feature: Working with a report
  A reader selects a period of the run with a brush, by dates or by name, and every metric of the page follows. The
  page's address contains the selection, so the selection can be saved, sent and undone.

  Background:
    Given a browser is at hand
    And the file "prices.csv" with 600 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=5 --param slow=12 --commission 0.001 --out runs --quiet`

  Scenario: A period is selected by name, and the selection can be undone
    When the trader opens the report on a desktop
    And he chooses the period "Max drawdown"
    Then the address has "range="
    And the figures are of a part of the run
    And the page says "Before and after are returns of the equity at the start of the period"
    When he goes back
    Then the figures are of the whole run
    And the page says "Before and after are returns of the initial cash"
    When he goes forward
    Then the figures are of a part of the run
    And the page complains of nothing

  Scenario Outline: The first screen of a report shows verdict, metrics and equity, <width> wide
    When the trader opens the report on a screen <width> wide and <height> high
    Then the verdict, eight figures and the equity curve are in sight
    And the summary answers each question of a portfolio manager with a link to its part of the page

    Examples:
      | width | height |
      | 1440  | 900    |
      | 1280  | 800    |

  Scenario: The equity curve shows the chosen period and the values under the pointer
    When the trader opens the report on a desktop
    And he chooses the period "Max drawdown"
    Then every figure that follows the period names it
    When he points at the middle of the equity curve
    Then the equity curve shows "drawdown"
    And the page complains of nothing

  @deep
  Scenario: An answer in the summary links to its place
    When the trader opens the report on a desktop
    And he follows the best trade
    Then what is said of the chosen fill has "Decided at the close of"
    And the address has "trade="
    And the page complains of nothing

  @deep
  Scenario: A period can be selected with the keyboard
    When the trader opens the report on a desktop
    And he presses "PageUp" 3 times on "First session of the period"
    Then the address has "range="
    And the figures are of a part of the run
    And the page is accessible

  @deep
  Scenario: The address contains the series and the scale of the chart
    When the trader opens the report on a desktop
    And he draws the rolling "beta"
    And he leaves out "Exposure"
    And he chooses "logarithmic"
    Then the address has "rolling=beta&hide=exposure&scale=log"
    When he opens that address anew
    Then "Exposure" is left out
    And the rolling "beta" is drawn
    When he draws the rolling "volatility"
    And he goes back
    Then the rolling "beta" is drawn
    And the page complains of nothing

  @deep
  Scenario: A rolling metric has a gap in sessions without a value
    Given the file "twice.ts":
      """
      import { defineStrategy, z } from 'sandtable';

      export default defineStrategy({
        name: 'twice',
        parameters: z.object({}),
        onBar({ bar, orders }) {
          if (bar === 10 || bar === 400) orders.submit({ action: 'buy', equityFraction: 0.9 });
          if (bar === 40 || bar === 430) orders.close();
        },
      });
      """
    When the trader runs `sandtable run twice.ts --data prices.csv --out gaps --quiet`
    And the trader opens the report of the run in "gaps" on a desktop
    And he draws the rolling figures alone
    Then nothing is drawn between the two times that there were any
    And the page complains of nothing

  @deep
  Scenario: In a long period the table appears before its intervals
    Given the file "long.csv" with 3000 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data long.csv --param fast=5 --param slow=12 --out long --quiet`
    And the trader opens the report of the run in "long" on a desktop
    And he presses "PageUp" 3 times on "First session of the period"
    Then the table has its figures at once and its intervals a moment later
    And the page complains of nothing

  Scenario: The chart can be read with the keyboard
    When the trader opens the report on a desktop
    And he presses "Home" 1 times on "Price with fills, equity, drawdown, exposure and rolling figures on one time axis"
    Then the readout has the first bar’s close
    When he presses "f" 1 times on "Price with fills, equity, drawdown, exposure and rolling figures on one time axis"
    Then what is said of the chosen fill has ", because: "
    And the page complains of nothing

  Scenario: The first key on a chart that is not drawn yet moves to the first bar
    When the trader opens the report on a desktop
    And he presses "Home" on the time chart before it is drawn
    Then the readout has the first bar’s close
    And the page complains of nothing

  @deep
  Scenario: A row of the attribution selects its trades, and a trade shows its reason
    When the trader opens the report on a desktop
    And he chooses what came from "short"
    Then the address has "filter=side"
    And the trades shown are all short
    When he chooses the first trade shown
    Then what is said of the chosen fill has "Decided at the close of"
    And the address has "trade="
    When he goes back
    Then no trade is told
    And the page complains of nothing

  @deep
  Scenario: The wheel scrolls the page, and zooms with Ctrl
    When the trader opens the report on a desktop
    And he turns the wheel over the chart
    Then the page has scrolled
    When he turns the wheel over the chart with Ctrl held
    Then the chart shows fewer bars

  Scenario Outline: The page is accessible and not clipped on a screen <width> wide
    When the trader opens the report on a screen <width> wide
    Then nothing is wider than the screen
    And the table against the benchmark is whole
    And the page is accessible
    When he changes the theme
    Then the page is accessible

    Examples:
      | width |
      | 390   |

    @deep
    Examples:
      | width |
      | 1440  |
      | 1024  |
      | 720   |

  Scenario: Profit and loss remain visible on a phone
    When the trader opens the report on a screen 390 wide
    Then the net profit of each trade and the return of each year are in sight

  Scenario: The report of a failed run states the reason
    Given the file "crash.ts":
      """
      import { defineStrategy, z } from 'sandtable';

      export default defineStrategy({
        name: 'crash',
        parameters: z.object({}),
        onBar({ bar }) {
          if (bar === 40) throw new Error('the indicator has no value');
        },
      });
      """
    When the trader runs `sandtable run crash.ts --data prices.csv --out failed --quiet`
    Then it ends with exit code 1
    When the trader opens the report of the run in "failed" on a desktop
    Then the page says "Why it ended:"
    And the page says "the indicator has no value"

  @deep
  Scenario: A report is printed as a PDF
    When the trader prints the report of the run as a PDF
    Then the PDF has at least 3 pages
    When the trader prints the report of the run without a browser
    Then it ends with exit code 1
    And stderr says "SANDTABLE_BROWSER"

  @deep
  Scenario: Charts and metrics of a run can be embedded in a document
    When the trader rebuilds the report of the run with `--embed --png`
    Then it ends with exit code 0
    And the folder of the run has the files "report.embed.html, charts/equity-lines.svg, charts/equity-lines.png, charts/waterfall.png"
