Feature: Settings of a project in sandtable.yaml
  A trader writes the data, the costs and the parameters of a project once. Every command reads them from the folder in
  which it starts. Flags override the file. A run records the settings as if they were given by flags.

  Background:
    Given the file "prices.csv" with 60 simulated bars
    And the file "orders.json":
      """
      { "orders": [{ "bar": 3, "side": "buy", "units": 10 }, { "bar": 30, "side": "close" }] }
      """

  @spawn
  Scenario: Settings from a file and from flags give the same run
    Given the file "sandtable.yaml":
      """
      strategy: orders.json
      data: prices.csv
      from: 2000-01-05
      account: { cash: 5000 }
      costs: { commission: 0.001, slippage-bps: 5 }
      """
    When the trader runs `sandtable run --out by-file`
    Then it ends with exit code 0
    And stderr says "note: Settings from sandtable.yaml: strategy, data, from, account.cash, costs.commission, costs.slippage-bps."
    When the trader runs `sandtable run orders.json --no-config --data prices.csv --from 2000-01-05 --cash 5000 --commission 0.001 --slippage-bps 5 --out by-flags`
    Then it ends with exit code 0
    And the runs in "by-file" and "by-flags" have the same "journal.jsonl"
    And the runs in "by-file" and "by-flags" have the same "trades.csv"
    And the runs in "by-file" and "by-flags" have the same "equity.csv"

  Scenario: sandtable config shows the source of each value: profile, environment variable, file or flag
    Given the file "sandtable.yaml":
      """
      data: ${PRICES}
      costs: { commission: 0.001 }
      profiles:
        expensive:
          costs: { commission: 0.01 }
      """
    And the environment has PRICES "prices.csv"
    When the trader runs `sandtable config run --config sandtable.yaml --profile expensive --cash 700`
    Then it ends with exit code 0
    And stdout says "environment PRICES, sandtable.yaml line 1"
    And stdout says "costs.commission 0.01 profile expensive, sandtable.yaml line 5"
    And stdout says "account.cash 700 flag"
    And stdout says "account.leverage 1 default"

  Scenario: All mistakes are reported together, with their lines
    Given the file "sandtable.yaml":
      """
      dta: prices.csv
      costs:
        comission: 0.001
      from: yesterday
      """
    When the trader runs `sandtable run orders.json --config sandtable.yaml --data prices.csv --seed x`
    Then it ends with exit code 2
    And stderr says "sandtable.yaml:1: unknown key dta. Did you mean data?"
    And stderr says "sandtable.yaml:3: unknown key costs.comission. Did you mean costs.commission?"
    And stderr says "sandtable.yaml:4 from: "
    And stderr says "--seed: "
