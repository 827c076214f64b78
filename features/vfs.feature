@python
Feature: Files in memory
  A run has its own small file system for notes and tables. The file system lasts for the run. The journal records every
  change, and the run folder contains the final files. During the run no file is on the disk.

  Scenario: Files are written, appended, read and listed
    When the file agent calls vfs_write with `{"path": "notes/plan.md", "content": "Buy pullbacks only.\n"}`
    Then the file agent gets exactly:
      """
      {"path": "notes/plan.md", "mode": "create", "characters": 20}
      """
    When the file agent calls vfs_write with `{"path": "notes/plan.md", "content": "Never on Fridays.\n", "mode": "append"}`
    And the file agent calls vfs_write with `{"path": "b.csv", "content": "1,2\n"}`
    And the file agent calls vfs_list with `{}`
    Then the file agent gets exactly:
      """
      {"count": 2, "characters": 42, "files": [{"path": "b.csv", "characters": 4}, {"path": "notes/plan.md", "characters": 38}]}
      """
    When the file agent calls vfs_read with `{"path": "notes/plan.md", "offset": 20}`
    Then the file agent gets exactly:
      """
      {"path": "notes/plan.md", "characters": 38, "offset": 20, "content": "Never on Fridays.\n"}
      """
    And the file agent's journal gives the same files back

  Scenario: A folder is deleted with its files
    Given the file agent has the file "a/1" with "x"
    And the file agent has the file "a/b/2" with "y"
    And the file agent has the file "c" with "z"
    When the file agent calls vfs_delete with `{"path": "a"}`
    Then the file agent gets exactly:
      """
      {"path": "a", "count": 2, "deleted": ["a/1", "a/b/2"]}
      """
    And the file agent has the files:
      | c | z |

  Scenario: A long file is read in parts
    When the file agent calls vfs_write with `{"path": "long", "content": "x" * 20,000}`
    And the file agent calls vfs_read with `{"path": "long"}`
    Then the file agent gets `{"characters": 20000, "next_offset": 16000}`

  Scenario Outline: <what> is refused
    Given the file agent has the file "dir/file" with "x"
    When the file agent calls <tool> with `<arguments>`
    Then the file agent is refused with `<error>`
    And the file agent has the files:
      | dir/file | x |

    Examples:
      | what                   | tool       | arguments                                  | error                        |
      | making it again        | vfs_write  | {"path": "dir/file", "content": ""}        | the file already exists      |
      | a file over a folder   | vfs_write  | {"path": "dir", "content": ""}             | a folder with that name      |
      | a file below a file    | vfs_write  | {"path": "dir/file/x", "content": ""}      | dir/file is a file           |
      | a path upwards         | vfs_write  | {"path": "a/../../x", "content": ""}       | paths may not contain ".."   |
      | an absolute path       | vfs_write  | {"path": "/etc/x", "content": ""}          | absolute paths               |
      | a backslash            | vfs_write  | {"path": "a\\\\b", "content": ""}          | separated by /               |
      | too long a file        | vfs_write  | {"path": "a", "content": "x" * 48,001}     | over the limit of 48,000     |
      | too long in the end    | vfs_write  | {"path": "dir/file", "content": "x" * 48,000, "mode": "append"} | 48,001 characters |
      | reading what is not    | vfs_read   | {"path": "none"}                           | The file "none" does not exist |
      | deleting what is not   | vfs_delete | {"path": "none"}                           | the file "none" does not exist |

  @spawn
  Scenario: A run begins with the files of a folder and writes its files to the run folder
    Given the file "prices.csv" with 60 simulated bars
    And the file "desk/plan.md":
      """
      Buy and hold.
      """
    When the trader runs `sandtable run strategies/trade-diary.ts --data prices.csv --vfs desk --out runs --json`
    Then it ends with exit code 0
    And the run has the file "vfs/plan.md" that says "Buy and hold."
    And the run has the file "vfs/diary/2000.md" that says "equity 100,000.00, 0% invested"
    And the run has the file "manifest.json" that says "\"files\""
    And the run has the file "summary.json" that says "undated files"
    And the run's journal gives its files back

  @spawn
  Scenario: A folder with invalid files is refused with every fault
    Given the file "prices.csv" with 60 simulated bars
    And the file "desk/über.md":
      """
      x
      """
    And the gzipped file "desk/picture.png":
      """
      x
      """
    When the trader runs `sandtable run strategies/trade-diary.ts --data prices.csv --vfs desk --out runs`
    Then it ends with exit code 2
    And stderr says "2 faults"
    And stderr says "picture.png: it is not text in UTF-8"
    And stderr says "paths must be printable ASCII"
    And no run folder is left
