/** Reports about the state of a database, and rules that check them. */
export { csvOf } from './csv.ts';
export { type ReportRows, readReport, readReports } from './read-report.ts';
export type { Report } from './report.ts';
export { fileNameOf, REPORTS, reportNamed } from './reports.ts';
export { checkRules, type RuleResult } from './rules/check-rules.ts';
export { DEFAULT_RULES } from './rules/default-rules.ts';
