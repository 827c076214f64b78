Feature: The guide to orders

  Scenario: Its worked examples are true
    Then the 6 worked examples of docs/orders.md fill as it says
