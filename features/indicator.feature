@python
Feature: indicator_calc calculates one indicator by name
  An agent requests an indicator by name and receives a number. Names and parameters are those of pandas_ta. A misspelt
  name is answered with a suggestion, and indicators that use later bars are not available.

  Background:
    Given 100000 in cash
    And 260 simulated bars of IND
    And the market has advanced to bar 250

  Rule: The latest value is returned with its parameters

    Scenario: RSI returns its value and parameters
      When the agent calls indicator_calc with `{"name": "rsi", "length": 14}`
      Then the answer holds `{"indicator": "rsi", "symbol": "IND", "bar": 250, "parameters": {"length": 14, "scalar": 100, "drift": 1}}`
      And its value is what `ta.rsi(df.close, 14)` computes

    Scenario: MACD returns a value for each column
      When the agent calls indicator_calc with `{"name": "MACD", "parameters": {"fast": 8, "slow": 21}}`
      Then its values are what `ta.macd(df.close, 8, 21).iloc[-1].to_dict()` computes

    Scenario Outline: <way> is the same call
      When the agent calls indicator_calc with `<arguments>`
      Then its value is what `<code>` computes

      Examples:
        | way                        | arguments                                                        | code                                          |
        | a name in capitals         | {"name": "RSI"}                                                  | ta.rsi(df.close)                              |
        | a parameter beside name    | {"name": "atr", "length": 20}                                    | ta.atr(df.high, df.low, df.close, 20)         |
        | parameters in an object    | {"name": "atr", "parameters": {"length": 20}}                    | ta.atr(df.high, df.low, df.close, 20)         |
        | period for length          | {"name": "RSI", "period": 9}                                     | ta.rsi(df.close, 9)                           |
        | another column             | {"name": "sma", "length": 5, "close": "volume"}                  | ta.sma(df.volume, 5)                          |
        | an indicator of another    | {"name": "sma", "length": 5, "close": {"name": "rsi"}}           | ta.sma(ta.rsi(df.close), 5)                   |
        | one column of another      | {"name": "ema", "close": {"name": "macd", "column": "MACDh_12_26_9"}} | ta.ema(ta.macd(df.close).MACDh_12_26_9)  |
        | an average by its name     | {"name": "atr", "mamode": "ema"}                                 | ta.atr(df.high, df.low, df.close, mamode='ema') |

    Scenario: A candle pattern returns its value
      When the agent calls indicator_calc with `{"name": "cdl_pattern", "pattern": "engulfing"}`
      Then its values are what `ta.cdl_pattern(df.open, df.high, df.low, df.close, name='engulfing').iloc[-1].to_dict()` computes

    Scenario: An indicator of another symbol is calculated
      Given 260 simulated bars of IND and OTHER
      When the agent calls indicator_calc with `{"name": "sma", "symbol": "OTHER", "length": 10}`
      Then the answer holds `{"symbol": "OTHER"}`
      And its value is what `ta.sma(df_other.close, 10)` computes

    Scenario Outline: A multi-line indicator returns its current values: <name>
      When the agent calls indicator_calc with `<arguments>`
      Then its values have the columns "<columns>"

      Examples:
        | name     | arguments                                      | columns                      |
        | ichimoku | {"name": "ichimoku", "include_chikou": false}  | ISA_9, ISB_26, ITS_9, IKS_26 |
        | stoch    | {"name": "stoch"}                              | STOCHk_14_3_3, STOCHd_14_3_3 |

    Scenario: Every indicator can be called
      When the agent asks indicator_calc for every indicator of ta
      Then all 140 are answered, those that repaint by a refusal

  Rule: A missing value is null and has a reason

    Scenario Outline: <arguments> returns null before there are enough bars
      When the agent calls indicator_calc with `<arguments>`
      Then the answer holds `<answer>`
      And its note says "had no value in the 251 bars so far"

      Examples:
        | arguments                               | answer          |
        | {"name": "sma", "length": 300}          | {"value": null} |
        | {"name": "macd", "slow": 300}           | {"value": null} |
        | {"name": "adx", "length": 100, "lensig": 200} | {"indicator": "adx"} |

  Rule: A mistake is answered with a correction

    Scenario Outline: <arguments> is refused with a correction
      When the agent calls indicator_calc with `<arguments>`
      Then the answer is an error that says "<says>"
      And its remedy says '<remedy>'
      And it names no file and no internal of the machine

      Examples: names
        | arguments                       | says                           | remedy                       |
        | {"name": "rsii"}                | There is no indicator 'rsii'   | Did you mean rsi             |
        | {"name": "Bollinger Bands"}     | no indicator 'Bollinger Bands' | Did you mean bbands?         |
        | {"name": "RSI_14"}              | no indicator 'RSI_14'          | Did you mean rsi?            |
        | {"name": "hammer"}              | no indicator 'hammer'          | "name": "cdl_pattern"        |
        | {"name": "qwertyuiop"}          | no indicator 'qwertyuiop'      | Some of them: cdl_doji       |
        | {"name": "cdl_pattern", "pattern": "hamer"} | did you mean 'hammer'? | Parameters of cdl_pattern |
        | {"name": "rsi", "symbol": "TSLA"} | TSLA                         | IND                          |
        | {}                              | name                           | example                      |

      Examples: parameters
        | arguments                                 | says                                             | remedy                                             |
        | {"name": "rsi", "lenght": 9}              | rsi has no parameter 'lenght'                    | Did you mean length? Parameters of rsi: length (bars, 14), scalar (100) |
        | {"name": "macd", "length": 9}             | macd has no parameter 'length'                   | fast (bars, 12), slow (bars, 26), signal (bars, 9) |
        | {"name": "rsi", "length": "14"}           | length must be a whole number of bars from 1     | Parameters of rsi                                  |
        | {"name": "rsi", "length": 0}              | not 0                                            | Parameters of rsi                                  |
        | {"name": "rsi", "length": 14.5}           | not 14.5                                         | Parameters of rsi                                  |
        | {"name": "rsi", "offset": -1}             | offset must be a whole number of bars from 0     | Parameters of rsi                                  |
        | {"name": "rsi", "drift": -1}              | drift must be a whole number of bars from 1      | Parameters of rsi                                  |
        | {"name": "bbands", "std": true}           | std must be a number, not True                   | Parameters of bbands                               |
        | {"name": "bbands", "mamode": "median"}    | mamode must be one of dema, ema                  | Parameters of bbands                               |
        | {"name": "ebsw", "length": 20}            | length must be a whole number of bars from 39    | Parameters of ebsw                                 |
        | {"name": "vwap", "anchor": "fortnight"}   | anchor must be a pandas period                   | Parameters of vwap                                 |
        | {"name": "sma", "close": "price"}         | close names no column: 'price'                   | open, high, low, close, volume                     |
        | {"name": "sma", "close": {"name": "macd"}} | macd has several columns                        | MACD_12_26_9, MACDh_12_26_9, MACDs_12_26_9         |
        | {"name": "long_run"}                      | long_run needs fast                              | {"name": "ema", "length": 10}                      |
        | {"name": "rsi", "length": 9, "parameters": {"length": 14}} | length twice                    | once                                               |
        | {"name": "rsi", "length": 9, "period": 14} | rsi was given length twice                      | once                                               |

  Rule: Indicators that repaint are refused

    Scenario Outline: <arguments> is refused because it changes past values
      When the agent calls indicator_calc with `<arguments>`
      Then the answer is an error that says "repaints"
      And its remedy says '<remedy>'

      Examples:
        | arguments                       | remedy                              |
        | {"name": "dpo"}                 | {"name": "dpo", "centered": false}  |
        | {"name": "ichimoku"}            | "include_chikou": false             |
        | {"name": "ssf"}                 | choose another indicator            |
        | {"name": "tos_stdevall"}        | choose another indicator            |
        | {"name": "vp"}                  | choose another indicator            |
        | {"name": "cdl_z", "full": true} | Leave full out                      |
        | {"name": "sma", "close": {"name": "dpo"}} | "centered": false         |

    Scenario: The form that does not repaint is available
      When the agent calls indicator_calc with `{"name": "dpo", "centered": false}`
      Then its value is what `ta.dpo(df.close, centered=False)` computes
