Feature: The command line
  Results go to stdout, everything else to stderr. The exit code is 0 for success, 1 for a failed run and 2 for an error
  that the user can fix. The message states what is wrong, where, and how to fix it.

  @spawn
  Rule: Running a backtest

    Scenario: A run prints its summary and writes a folder with the whole record
      Given the file "prices.csv" with 250 simulated bars
      When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs --json`
      Then it ends with exit code 0
      And stdout is the run folder's "summary.json"
      And stdout is one JSON document with:
        | strategy    | sma-cross |
        | outcome     | completed |
        | bars        | 250       |
        | initialCash | 100000    |
        | sealed      | false     |
        | openDoors.0 | strategy code runs with your rights |
      And there is no stack trace
      And the run folder holds:
        | manifest.json |
        | inputs.json   |
        | strategy.ts   |
        | journal.jsonl |
        | equity.csv    |
        | trades.csv    |
        | summary.json  |
        | timing.json   |
        | report.html   |
      And "equity.csv" has a row per bar, 250, under "bar,date,cash,equity,drawdown,exposure"
      And the last row of "equity.csv" agrees with the summary
      And "trades.csv" has a row per trade of the summary under "id,symbol,side,quantity,entryBar,entryDate,entryPrice,exitBar,exitDate,exitPrice,grossPnl,commission,netPnl,exitReason,multiplier"
      And the journal is whole and says completed after 250 bars
      And the manifest vouches for the journal, for "prices.csv" and for the strategy sma-cross

    Scenario: A run of an order script is sealed
      Given the file "prices.csv" with 60 simulated bars
      And the file "orders.json":
        """
        {"orders": [{"bar": 3, "side": "buy", "units": 10}]}
        """
      When the trader runs `sandtable run orders.json --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | sealed    | true |
        | openDoors | []   |
      And the manifest says "\"sealed\": true"

    Scenario: Without --json the summary is a table
      Given the file "prices.csv" with 60 simulated bars
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --out runs`
      Then it ends with exit code 0
      And stdout says "buy-and-hold"
      And stdout says "runs"
      And there is no stack trace

    Scenario: --quiet prints no summary
      Given the file "prices.csv" with 60 simulated bars
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --out runs --quiet`
      Then it ends with exit code 0
      And stdout is empty
      And the journal is whole and says completed after 60 bars

    Scenario: The moving average cross on GOOG has its known result
      Given the shared file "data/goog-daily.csv" is at hand
      When the trader runs `sandtable run strategies/sma-cross.ts --data ../shared/data/goog-daily.csv --cash 10000 --commission 0.002 --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | bars           | 2148        |
        | finalEquity    | 56263.51934 |
        | tradeCount     | 93          |
        | openTradeCount | 1           |
      And its "winRate" is 0.526882 to within 0.000001
      And its "maxDrawdown" is -0.339316 to within 0.000001

    Scenario: A run executes the orders of an order script
      Given the file "prices.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        2020-01-07,102,105,101,104,1000
        2020-01-08,103,104,98,99,1000
        """
      And the file "orders.json":
        """
        { "name": "two orders", "cash": 5000, "orders": [
          { "bar": 0, "side": "buy", "units": 10 },
          { "bar": 1, "side": "close" }
        ] }
        """
      When the trader runs `sandtable run orders.json --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | strategy    | two orders |
        | initialCash | 5000       |
        | finalEquity | 5010       |
        | tradeCount  | 1          |

    Scenario: The manifest lists omitted gaps
      Given the file "gaps.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        2020-01-07,,,,,
        2020-01-08,103,104,98,99,1000
        """
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data gaps.csv --allow-gaps --out runs --quiet`
      Then it ends with exit code 0
      And the manifest says "omitted 1 row without a value (line 3)"

    Scenario: Two processes write the same journal for the same run
      Given the file "prices.csv" with 30 simulated bars
      And the folder is a package of ECMAScript modules
      And the file "draws.ts":
        """
        import { defineStrategy, z } from 'sandtable';

        export default defineStrategy({
          name: 'draws-numbers',
          summary: 'Trades on random numbers and on the clock of its Python.',
          parameters: z.object({}),
          tools: ['compute'],
          async onBar({ orders, account }, { compute }) {
            const answer = await compute('{"draw": np.random.rand(), "now": pd.Timestamp.now(), "names": str({"b", "a", "c"})}');
            if (answer.error !== undefined) throw new Error(answer.error);
            if ((answer.result as { draw: number }).draw < 0.5) orders.buy(10);
            else if (account.units() !== 0) orders.close();
          },
        });
        """
      When two processes run `sandtable run draws.ts --data prices.csv --seed 4 --slippage-bps 3 --out runs --quiet` at the same time
      Then both end with exit code 0
      And both journals are the same, byte for byte

  @spawn
  Rule: Errors during a run

    Scenario: A strategy that throws leaves a journal up to the previous bar
      Given the file "prices.csv" with 60 simulated bars
      And the folder is a package of ECMAScript modules
      And the file "breaks.ts":
        """
        import { defineStrategy, z } from 'sandtable';

        export default defineStrategy({
          name: 'breaks',
          summary: 'Throws at bar 5.',
          parameters: z.object({}),
          onBar({ bar }) {
            if (bar === 5) throw new Error('no such signal');
          },
        });
        """
      When the trader runs `sandtable run breaks.ts --data prices.csv --out runs --json`
      Then it ends with exit code 1
      And stderr says "breaks.ts failed at bar 5: no such signal (breaks.ts:8)"
      And there is no stack trace
      And stdout is one JSON document with:
        | outcome | failed |
        | bars    | 5      |
      And the journal is whole and says failed after 5 bars

    Scenario: Ctrl-C stops at the end of a bar and leaves a valid journal
      Given the file "prices.csv" with 2000 simulated bars
      And the folder is a package of ECMAScript modules
      And the file "slow.ts":
        """
        import { setTimeout as sleep } from 'node:timers/promises';
        import { defineStrategy, z } from 'sandtable';

        export default defineStrategy({
          name: 'slow',
          summary: 'Thinks for a while on every bar.',
          parameters: z.object({}),
          async onBar() {
            await sleep(30);
          },
        });
        """
      When the trader starts `sandtable run slow.ts --data prices.csv --out runs`
      And the file "runs/*/journal.jsonl" holds `"type":"bar"`
      And the trader presses Ctrl-C
      Then it ends with exit code 1
      And stderr says "Stopped after bar"
      And there is no stack trace
      And the journal is whole and says interrupted before the end

    Scenario: A strategy file that cannot be loaded is refused
      Given the file "prices.csv" with 10 simulated bars
      And the folder is a package of ECMAScript modules
      And the file "typo.ts":
        """
        export default defineStrategy({ name: 'typo' });
        """
      When the trader runs `sandtable run typo.ts --data prices.csv --out runs`
      Then it ends with exit code 2
      And stderr says "typo.ts"
      And stderr says "defineStrategy is not defined"
      And there is no stack trace
      And no run folder is left

    Scenario: A strategy runs in a folder that is not a package
      Given the file "prices.csv" with 10 simulated bars
      And the file "watches.ts":
        """
        import { defineStrategy, z } from 'sandtable';

        export default defineStrategy({
          name: 'watches',
          summary: 'Does nothing.',
          parameters: z.object({}),
          onBar() {},
        });
        """
      When the trader runs `sandtable run watches.ts --data prices.csv --out runs --quiet`
      Then it ends with exit code 0

    Scenario: Faults of the strategy and of the data are reported together
      Given the file "bad.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,90,99,101,1000
        """
      When the trader runs `sandtable run absent.ts --data bad.csv --out runs`
      Then it ends with exit code 2
      And stderr says "absent.ts"
      And stderr says "bad.csv line 2: high 90 is below close 101"
      And there is no stack trace
      And no run folder is left

  @spawn
  Rule: Tools on the command line

    Scenario: compute runs Python on the data that an agent sees at a bar
      Given the file "prices.csv" with 50 simulated bars
      When the trader runs `sandtable compute "{'bars': len(df), 'cash': cash}" --data prices.csv --bar 30 --cash 5000`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | result.bars | 31   |
        | result.cash | 5000 |

    Scenario: tools call answers each JSON line within one session
      Given the file "acme.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        2020-01-07,102,105,101,104,1000
        2020-01-08,103,104,98,99,1000
        """
      When the trader runs `sandtable tools call --data acme.csv --bar 1 --cash 5000 --max-result-bytes 64` with the input:
        """
        {"name": "market_observe", "arguments": {}}
        {"name": "market_history", "arguments": {"bars": 1}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 10}}
        {"name": "account_status"}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 100}}
        {"name": "compute", "arguments": {"code": "df.close.tolist()"}}
        {"name": "compute", "arguments": {"code": "list(range(100))"}}
        {"name": "buy_the_dip", "arguments": {}}
        this is no JSON
        {"tool": "compute"}
        {"name": "compute", "arguments": {"code": "len(df)"}}
        """
      Then it ends with exit code 0
      And stdout answers line by line:
        | {"symbol": "ACME", "bar": 1, "date": "2020-01-07", "close": 104, "stale": false}  |
        | {"bars": [["2020-01-07", 102, 105, 101, 104, 1000]]}                              |
        | {"status": "accepted", "order_id": 1, "quantity": "10"}                           |
        | {"cash": 5000, "positions": {}}                                                   |
        | error: exceed the buying power                                                    |
        | {"result": [101, 104]}                                                            |
        | error: over the cap of 64                                                           |
        | error: Unknown tool buy_the_dip                                                   |
        | error: The line is not JSON                                                       |
        | error: Expected the fields name and arguments                                                |
        | {"result": 2}                                                                     |

    Scenario: doctor finds a complete installation
      When the trader runs `sandtable doctor --json`
      Then it ends with exit code 0
      And stdout is one JSON document in which nothing is bad

  @spawn
  Rule: Checking and simulating data

    Scenario: data check reports the contents of a file
      Given the file "prices.csv" with 50 simulated bars
      When the trader runs `sandtable data check prices.csv --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | symbols.0.symbol   | PRICES     |
        | symbols.0.bars     | 50         |
        | symbols.0.firstBar | 2000-01-03 |
        | symbols.0.warnings | []         |

    Scenario: data check refuses a bad file
      Given the file "bad.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,90,99,101,1000
        2020-01-05,100,102,99,101,-1
        """
      When the trader runs `sandtable data check bad.csv --json`
      Then it ends with exit code 2
      And stdout is empty
      And stderr says "bad.csv line 2: high 90 is below close 101"
      And stderr says "bad.csv line 3: volume is -1, less than 0"
      And there is no stack trace

    Scenario: data simulate is reproducible, and data check accepts its output
      When two processes run `sandtable data simulate --bars 300 --regime crash --seed 9` at the same time
      Then both end with exit code 0
      And both print the same on stdout
      When the trader runs `sandtable data simulate --bars 300 --regime crash --seed 9 --out made/up.csv`
      Then it ends with exit code 0
      And stdout is empty
      When the trader runs `sandtable data check made/up.csv`
      Then it ends with exit code 0
      And stdout says "UP: 300 bars"

  Rule: Invalid commands and flags

    Scenario: All invalid flags are reported together
      When the trader runs `sandtable run strategies/sma-cross.ts --cash lots --commission 2 --seed 1.5 --lookback 0 --param fast`
      Then it ends with exit code 2
      And stderr says "--cash: "
      And stderr says "--commission: "
      And stderr says "--seed: "
      And stderr says "--lookback: "
      And stderr says "--data: "
      And stderr says "--param: "
      And stderr says "npx sandtable run --help"
      And stdout is empty
      And there is no stack trace

    Scenario Outline: A duplicate flag is refused: <flag>
      When the trader runs `sandtable <line>`
      Then it ends with exit code 2
      And stderr says "<flag> is given twice: <values>."
      And stdout is empty
      And there is no stack trace

      Examples:
        | flag   | values        | line                                                    |
        | --cash | 1000 and 2000 | run strategies/sma-cross.ts --cash 1000 --cash 2000     |
        | --out  | a and b       | run strategies/sma-cross.ts --out=a --json --out=b     |
        | --bars | 5 and 5       | data simulate --bars 5 --bars 5                         |

    Scenario: All duplicate flags are named
      When the trader runs `sandtable run x.ts --data x.csv --cash 1000 --seed 1 --seed 2 --cash 2000 --seed 3`
      Then it ends with exit code 2
      And stderr says "--cash is given twice: 1000 and 2000. --seed is given 3 times: 1 and 2 and 3."

    Scenario: A duplicate setting in a file is refused
      Given the file "prices.csv" with 5 simulated bars
      And the file "settings.json":
        """
        {
          "cash": 1000,
          "leverage": 1,
          "cash": 2000
        }
        """
      When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --settings settings.json`
      Then it ends with exit code 2
      And stderr says "settings.json line 4: duplicate key \"cash\": remove one of them"

    Scenario: A duplicate key in an order script is refused
      Given the file "prices.csv" with 5 simulated bars
      And the file "twice.json":
        """
        {"cash": 1000, "orders": [
          {"bar": 1, "side": "buy", "units": 10, "units": 20}
        ]}
        """
      When the trader runs `sandtable run twice.json --data prices.csv`
      Then it ends with exit code 2
      And stderr says "twice.json line 2: duplicate key \"units\": remove one of them"

    Scenario Outline: <line> is refused
      When the trader runs `<line>`
      Then it ends with exit code 2
      And stderr says "<says>"
      And stdout is empty
      And there is no stack trace

      Examples:
        | line                                                             | says                   |
        | sandtable rum strategies/sma-cross.ts                            | unknown command 'rum'  |
        | sandtable run                                                    | strategy               |
        | sandtable run strategies/sma-cross.ts --dta prices.csv           | --dta                  |
        | sandtable run strategies/sma-cross.ts --data absent-prices.csv   | absent-prices.csv      |
        | sandtable compute "len(df)"                                      | --data                 |
        | sandtable tools call --bar -1                                    | --bar                  |
        | sandtable data check                                             | --data                 |
        | sandtable data simulate --regime sideways                        | random-walk            |
        | sandtable data simulate --bars 0                                 | --bars                 |

    Scenario Outline: <command> --help shows an example
      When the trader runs `<command> --help`
      Then it ends with exit code 0
      And its help shows how it is called

      Examples:
        | command                 |
        | sandtable               |
        | sandtable run           |
        | sandtable compute       |
        | sandtable tools call    |
        | sandtable data          |
        | sandtable data check    |
        | sandtable data simulate |
        | sandtable setup         |
        | sandtable doctor        |
        | sandtable export        |
        | sandtable query         |

      Examples:
        | command              |
        | sandtable tools      |
        | sandtable tools list |

  Rule: A new project

    Scenario: A new project runs
      When the trader runs `sandtable init mine --typescript`
      Then it ends with exit code 0
      And stdout says "sandtable.yaml"
      When the trader runs `sandtable run --config mine/sandtable.yaml --from 2019-01-01 --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | outcome | completed |

    Scenario: Files of the trader are never overwritten
      Given the file "mine/README.md":
        """
        My notes
        """
      When the trader runs `sandtable init mine`
      Then it ends with exit code 2
      And stderr says "README.md already exists. No file was written."
      And stdout is empty

  Rule: The documentation in the terminal

    Scenario: Topics are listed, and a page or a section is printed
      When the trader runs `sandtable docs`
      Then it ends with exit code 0
      And stdout says "orders"
      And stdout says "Orders"
      When the trader runs `sandtable docs orders refused`
      Then it ends with exit code 0
      And stdout says "When an order is refused"

    Scenario: The code of a refused order shows its causes and fixes
      When the trader runs `sandtable docs buying_power`
      Then it ends with exit code 0
      And stdout says "## buying_power"
      And stdout says "Fix:"

    Scenario: A misspelt topic is refused with the nearest one
      When the trader runs `sandtable docs metrcs`
      Then it ends with exit code 2
      And stderr says "Unknown topic \"metrcs\". Did you mean metrics?"
