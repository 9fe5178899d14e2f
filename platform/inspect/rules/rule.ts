/** A rule of `experimental.inspect.rules` in config.toml. */
export interface Rule {
  name: string;
  /**
   * SQL that reads the files of reports, e.g. from `locks.csv`. The rule holds if the query returns no row, or NULL or an
   * empty text in the first one.
   */
  query: string;
  /** Status of a rule that holds. */
  pass: string;
  /** Status of a rule that is broken. */
  fail: string;
}
