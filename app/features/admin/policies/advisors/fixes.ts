/** The SQL that corrects a finding of the advisors, for those that have a safe correction. */
import type { AdvisorFinding } from '../../../../session/meta-client.server.ts';
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import type { PolicyDefinition } from '../access/model.ts';
import { changePolicySql, rlsSql } from '../edit/policy-sql.ts';
import { wrapCalls } from './wrap-calls.ts';

/** The lints whose findings have a correction. */
const FIXABLE = [
  'rls_disabled_in_public',
  'policy_exists_rls_disabled',
  'sensitive_columns_exposed',
  'auth_rls_initplan',
  'unindexed_foreign_keys',
  'duplicate_index',
  'invalid_index',
  'function_search_path_mutable',
  'security_definer_view',
] as const;

/** The name of a lint with a correction. */
type FixableLint = (typeof FIXABLE)[number];

/** Objects of the catalog that a correction needs in addition to the finding. */
export interface FixDetails {
  /** The policy that a finding names. */
  policy?: PolicyDefinition | undefined;
  /** Names of the columns of a foreign key, in its order. */
  columns?: readonly string[];
  /** Indexes of the table that constraints need. */
  constraintIndexes?: readonly string[];
}

/** Returns whether the findings of a lint have a correction. */
export function isFixable(name: string): name is FixableLint {
  return FIXABLE.some((lint) => lint === name);
}

/** Returns the SQL of the correction; undefined if there is none. */
export function fixOf(
  finding: Pick<AdvisorFinding, 'name' | 'metadata'>,
  details: FixDetails,
): string | undefined {
  if (!isFixable(finding.name)) return undefined;
  const { metadata } = finding;
  const text = (key: string) => String(metadata[key] ?? '');
  const table = { schema: text('schema'), name: text('name') };
  const fixes: Record<FixableLint, () => string | undefined> = {
    rls_disabled_in_public: () => rlsSql(table, 'enable'),
    policy_exists_rls_disabled: () => rlsSql(table, 'enable'),
    sensitive_columns_exposed: () => rlsSql(table, 'enable'),
    auth_rls_initplan: () => wrappedPolicySql(table, details.policy),
    unindexed_foreign_keys: () => indexSql(table, details.columns ?? []),
    duplicate_index: () => dropSpareSql(table, metadata.indexes, details.constraintIndexes ?? []),
    invalid_index: () => `drop index ${quoteQualified(table.schema, text('index_name'))};`,
    // The names in the function keep their meaning; temporary tables of a caller come last.
    function_search_path_mutable: () =>
      `alter routine ${quoteQualified(table.schema, table.name)}(${text('arguments')})\n  set search_path = ${pathOf(table.schema)};`,
    security_definer_view: () =>
      `alter view ${quoteQualified(table.schema, table.name)} set (security_invoker = on);`,
  };
  return fixes[finding.name]() || undefined;
}

function pathOf(schema: string): string {
  return [...new Set([schema, 'public', 'extensions', 'pg_temp'])].map(quoteIdentifier).join(', ');
}

function wrappedPolicySql(
  table: { schema: string; name: string },
  policy: PolicyDefinition | undefined,
): string | undefined {
  if (policy === undefined) return undefined;
  const wrapped = (expression: string | null) => (expression === null ? null : wrapCalls(expression));
  return changePolicySql(table, policy, {
    ...policy,
    using: wrapped(policy.using),
    check: wrapped(policy.check),
  });
}

function indexSql(table: { schema: string; name: string }, columns: readonly string[]): string | undefined {
  if (columns.length === 0) return undefined;
  return `create index on ${quoteQualified(table.schema, table.name)} (${columns.map(quoteIdentifier).join(', ')});`;
}

/** Keeps the first index, or those of constraints. */
function dropSpareSql(
  { schema }: { schema: string },
  indexes: unknown,
  constraintIndexes: readonly string[],
): string | undefined {
  const names = Array.isArray(indexes) ? indexes.map(String) : [];
  const needed = names.filter((name) => constraintIndexes.includes(name));
  const kept = needed.length > 0 ? needed : names.slice(0, 1);
  return names
    .filter((name) => !kept.includes(name))
    .map((name) => `drop index ${quoteQualified(schema, name)};`)
    .join('\n');
}
