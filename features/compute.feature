@python
Feature: compute, Python in a sandbox
  An agent analyses the visible bars with its own Python code. The sandbox contains no future data, protects the bars,
  limits the time of every call, and hides the machine.

  Background:
    Given 100000 in cash
    And 50 simulated bars
    And the market has advanced to bar 30

  Rule: Code is evaluated

    Scenario: One expression returns its value
      When the agent computes `df.close.iloc[-1]`
      Then the result is the close of bar 30

    Scenario: Several lines return the value assigned to result
      When the agent computes:
        """
        sma = df.close.rolling(20).mean().iloc[-1]
        result = {'sma': sma, 'above': df.close.iloc[-1] > sma}
        """
      Then the result holds "sma", the mean of the last 20 closes
      And the result holds "above", whether the close is above the mean of the last 20

    Scenario: Helpers and indicators are available
      When the agent computes `latest(ta.rsi(df.close, 14))`
      Then the result is a number from 0 to 100

    Scenario: crossover detects a golden cross in one call
      When the agent computes `crossover(df.close.rolling(5).mean(), df.close.rolling(20).mean())`
      Then the result says whether the 5-bar mean has just crossed above the 20-bar mean

    Scenario: Printed output is returned with the result
      When the agent computes `print('bars:', len(df))`
      Then the answer holds `{"result": null, "stdout": "bars: 31\n"}`

  Rule: Data and account are names in the code

    Scenario: Equity is a variable
      Given the agent bought 100 at bar 10
      When the agent computes `result = equity`
      Then the result is the agent's equity

    Scenario: The account is a dict
      Given the agent bought 100 at bar 10
      When the agent computes `result = account['cash']`
      Then the result is the agent's cash

    Scenario: Positions are indexed by symbol
      Given the agent bought 100 at bar 10
      When the agent computes `result = positions['SIM']['size']`
      Then the result is `100`

    Scenario: Every symbol has its own DataFrame
      Given 50 simulated bars of AAPL and SPY
      When the agent computes `result = df_aapl.close.corr(df_spy.close)`
      Then the result is the correlation of the closes of AAPL and SPY

    Scenario: df is the symbol that the agent requests
      Given 50 simulated bars of AAPL and SPY
      When the agent computes `(df.close == df_spy.close).all() and (df.close != df_aapl.close).any()` with SPY as df
      Then the result is `true`

    Scenario Outline: <symbol> is <name> in the code
      Given 50 simulated bars of BRK.B, ^GSPC, 600519.SS and BF-B
      When the agent computes `(len(<name>), (<name>.close == df.close).all())` with <symbol> as df
      Then the result is `[31, true]`

      Examples:
        | symbol    | name         |
        | BRK.B     | df_brk_b     |
        | ^GSPC     | df_gspc      |
        | 600519.SS | df_600519_ss |
        | BF-B      | df_bf_b      |

    Scenario: An unknown symbol is refused with the known ones
      When the agent computes `len(df)` with TSLA as df
      Then the answer is an error that says "TSLA"
      And its remedy says "SIM"

  Rule: Limits of the sandbox

    Scenario: No look-ahead: the data end at the current bar
      When the agent computes `len(df)`
      Then the result is `31`
      When the agent computes `df.date.max()`
      Then the result is the date of bar 30

    Scenario: The next bar is visible only after it has closed
      Given 50 simulated bars of STEP
      When the agent computes `len(df)`
      Then the result is `31`
      When the market advances to the next bar
      And the agent computes `(len(df), df.close.iloc[-1])[0]`
      Then the result is `32`
      When the agent computes `df.close.iloc[-1]`
      Then the result is the close of bar 31

    Scenario: A change to the bars does not affect the next call
      When the agent computes `df['close'] = 0`
      And the agent computes `df.close.iloc[-1]`
      Then the result is the close of bar 30

    Scenario Outline: The bars cannot be changed by <way>
      When the agent computes:
        """
        try:
            <code>
        except Exception:
            pass
        """
      And the agent computes `df.close.iloc[-1]`
      Then the result is the close of bar 30

      Examples:
        | way             | code                                  |
        | position        | df.iloc[-1, 4] = 0                    |
        | label           | df.loc[30, 'close'] = 0               |
        | its numpy array | df.close.values[:] = 0                |
        | working inplace | df.close.mul(0, axis=0).to_numpy()[:] = 0; df.drop(columns='close', inplace=True) |
        | its own frame   | df_sim['close'] = 0                   |

    Scenario: Variables do not survive between calls
      When the agent computes `secret = 42`
      And the agent computes `secret`
      Then the answer is a NameError

    Scenario: Modules of the machine cannot be imported
      When the agent computes `__import__('os')`
      Then the answer is a NameError
      And it names no file and no internal of the machine

    Scenario: The clock shows the date of the current bar
      When the agent computes `pd.Timestamp.now()`
      Then the result is the date of bar 30

    Scenario: Random numbers are the same for every call of a bar
      When the agent computes `np.random.rand()`
      And the agent computes `np.random.rand()`
      Then the result is the same as before

    Scenario: An endless loop is interrupted, and the next call works
      Given the agent has Python of its own with 500 ms a call
      When the agent computes `while True: pass`
      Then the answer is a TimeoutError
      And the answer is an error that says "500 ms"
      And its remedy says "simplify the code or use fewer bars"
      When the agent computes `df.close.iloc[-1]`
      Then the result is the close of bar 30

    Scenario: Code that cannot be interrupted is killed, and the next call works
      Given the agent has Python of its own with 3000 ms a call
      When the agent computes `np.linalg.svd(np.random.rand(2500, 2500))`
      Then the answer is a TimeoutError
      When the agent computes `df.close.iloc[-1]`
      Then the result is the close of bar 30

    @deep
    Scenario: A killed call costs one error, a sandbox killed between calls costs none, and the run continues
      When an agent computes `len(df)` on every bar, but `np.linalg.svd(np.random.rand(2500, 2500))` on bar 10, and its Python is killed before bar 20
      Then the run completes after 50 bars
      And the answer of bar 10 is a TimeoutError
      And every other bar is answered with its number of bars

    Scenario: Agents do not share variables or settings
      Given Bob has Python of its own
      When Ann computes `pd.options.display.max_rows = 7; np.random.seed(5); df['edge'] = 1; signal = 'buy'; result = len(df)`
      Then the result is `31`
      When Bob computes `signal`
      Then the answer is a NameError
      When Bob computes `('edge' in df.columns, pd.options.display.max_rows == 7, len(df))`
      Then the result is `[false, false, 31]`
      When somebody kills Bob's Python
      And Ann computes `len(df)`
      Then the result is `31`

  Rule: An error states what is wrong and how to fix it

    Scenario Outline: <kind> from `<code>`
      When the agent computes `<code>`
      Then the answer is a <kind>
      And its remedy says "<remedy>"
      And it names no file and no internal of the machine

      Examples: the table of the specification
        | code                        | kind              | remedy                                                |
        | def foo(:                   | SyntaxError       | check the Python syntax                               |
        | closing_price               | NameError         | df, df_sim, frame, account, cash, equity              |
        | result = df.close.iloc[-999] | IndexError       | check the data length: len(df)                        |
        | result = 1 / 0              | ZeroDivisionError | check whether the divisor is zero                     |
        | int('many')                 | ValueError        | check variable names and data access                  |
        | len(5)                      | TypeError         | check variable names and data access                  |

      Examples: errors with specific advice
        | code                        | kind              | remedy                                                |
        | df.Close                    | AttributeError    | did you mean `close`?                                 |
        | df['Close']                 | KeyError          | did you mean `close`?                                 |
        | import os                   | ModuleNotFoundError | modules that can be imported                          |
        | df                          | ResultError       | .iloc[-1]                                             |
        | list(range(20000))          | ResultError       | return less                                           |

    Scenario: A higher size cap allows a larger result
      Given results of up to 200000 bytes are allowed
      When the agent computes `list(range(20000))`
      Then the result has 20000 values

    Scenario Outline: A call with wrong arguments returns a working example: <arguments>
      When the agent calls compute with `<arguments>`
      Then the answer is an error that says "<says>"
      And its remedy says "example"

      Examples:
        | arguments                    | says |
        | {}                           | code |
        | {"code": [5]}                | code |
        | {"code": "1", "window": 20}  | window |

  Rule: Results are plain JSON

    Scenario: A Series returns its latest value
      When the agent computes `df.close.rolling(20).mean()`
      Then the result is the mean of the last 20 closes

    Scenario: A numpy number is returned as a number
      When the agent computes `np.mean(df.close)`
      Then the result is the mean of all closes so far

    Scenario Outline: `<code>` is returned as <json>
      When the agent computes `<code>`
      Then the result is `<json>`

      Examples:
        | code                                      | json                               |
        | np.nan                                    | null                               |
        | float('inf')                              | null                               |
        | pd.NaT                                    | null                               |
        | df.close.rolling(40).mean()               | null                               |
        | {'low': -np.inf, 'known': [1, np.nan]}    | {"low": null, "known": [1, null]}  |
        | df.date.iloc[-1]                          | "2000-02-14T00:00:00"              |
        | {'on': pd.Timestamp('2020-01-02 09:30')}  | {"on": "2020-01-02T09:30:00"}      |
        | df.date.iloc[0].date()                    | "2000-01-03"                       |
        | np.int64(3)                               | 3                                  |
        | np.float64(2.5)                           | 2.5                                |
        | np.bool_(True)                            | true                               |
        | (1, 'two', None, True)                    | [1, "two", null, true]             |
        | df.close.iloc[:2].index.tolist()          | [0, 1]                             |
        | df.tail(1).volume.astype(int).to_dict().keys() | [30]                          |
