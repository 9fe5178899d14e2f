/**
 * The declaration of a lint: a query of the catalog, and the texts about each object that it finds. Names, levels and
 * categories are those of the advisors of the hosted service.
 */

import type { LintName } from './lint-names.ts';

type Level = 'INFO' | 'WARN' | 'ERROR';
type Category = 'SECURITY' | 'PERFORMANCE';

/** One problem of one object, in the form in which the Supabase CLI prints it. */
export interface Finding {
  /** Name of the lint. */
  name: LintName;
  title: string;
  level: Level;
  facing: 'EXTERNAL';
  categories: readonly Category[];
  /** Why the lint exists. */
  description: string;
  /** The problem of this object. */
  detail: string;
  remediation: string;
  /** The object, with `schema`, `name` and `type` for most lints. */
  metadata: Readonly<Record<string, unknown>>;
  /** The same for the same problem of the same object at each run. */
  cache_key: string;
}

/** The part of a finding that differs between objects. */
interface Report {
  detail: string;
  metadata: Readonly<Record<string, unknown>>;
  /** Names that tell objects of the same lint apart. */
  key: readonly string[];
}

/** A lint, with the type of the rows of its query. */
interface LintDefinition<Row> {
  name: LintName;
  title: string;
  level: Level;
  category: Category;
  description: string;
  remediation: string;
  /** A table outside the catalog that the query reads, e.g. `storage.buckets`. Without it, the lint finds nothing. */
  reads?: string;
  /** A query without parameters that may use the relations of sources.ts. */
  sql: string;
  /** Returns the texts for a row; undefined if the row is no problem. */
  report(row: Row): Report | undefined;
}

/** A lint. Its type does not depend on its rows. */
export type Lint = LintDefinition<Record<string, unknown>>;

/** Declares a lint. */
export function defineLint<Row extends object>(definition: LintDefinition<Row>): Lint {
  return { ...definition, report: (row) => definition.report(row as Row) };
}

/** Returns the finding for a row of the query of a lint; undefined if the row is no problem. */
export function findingOf(lint: Lint, row: Record<string, unknown>): Finding | undefined {
  const report = lint.report(row);
  if (report === undefined) return undefined;
  return {
    name: lint.name,
    title: lint.title,
    level: lint.level,
    facing: 'EXTERNAL',
    categories: [lint.category],
    description: lint.description,
    detail: report.detail,
    remediation: lint.remediation,
    metadata: report.metadata,
    cache_key: [lint.name, ...report.key].join('_'),
  };
}
