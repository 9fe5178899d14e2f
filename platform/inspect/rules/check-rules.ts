/** Checks rules on the rows of reports. */
import type { ReportRows } from '../read-report.ts';
import { openTables, type ReportTables } from './report-tables.ts';
import type { Rule } from './rule.ts';

/** The result of a rule. */
export interface RuleResult {
  name: string;
  /** `pass` or `fail` of the rule, or the error of its query. */
  status: string;
  outcome: 'passed' | 'failed' | 'error';
  /** The value that the query returned; null if it returned none. */
  matches: string | null;
}

/** Evaluates the queries on tables that have the names of the files. An error of a query is the result of its rule. */
export function checkRules(rules: readonly Rule[], reports: readonly ReportRows[]): RuleResult[] {
  using tables = openTables(reports);
  return rules.map((rule) => check(rule, tables));
}

function check({ name, query, pass, fail }: Rule, tables: ReportTables): RuleResult {
  try {
    const matches = tables.firstValue(query);
    const hasPassed = matches === null || matches === '';
    return {
      name,
      status: hasPassed ? pass : fail,
      outcome: hasPassed ? 'passed' : 'failed',
      matches,
    };
  } catch (error) {
    return { name, status: `error: ${(error as Error).message}`, outcome: 'error', matches: null };
  }
}
