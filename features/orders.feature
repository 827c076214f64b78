Feature: The guide to orders

  Scenario: The worked examples of the guide are correct
    Then the 6 worked examples of docs/orders.md fill as it says
