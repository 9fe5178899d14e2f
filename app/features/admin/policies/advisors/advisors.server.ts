/** The findings of the advisors on the server, and their corrections. */
import type { MaybePromise } from '../../../../lib/maybe-promise.ts';
import type { AdvisorFinding, MetaClient, MetaStatus } from '../../../../session/meta-client.server.ts';
import { loadTable } from '../access/catalog.server.ts';
import type { NotChangedResult } from '../edit/results.ts';
import { type FixDetails, fixOf, isFixable } from './fixes.ts';

/** A finding as the page shows it. */
export interface ShownFinding
  extends Pick<
    AdvisorFinding,
    'name' | 'title' | 'level' | 'description' | 'detail' | 'remediation' | 'cache_key'
  > {
  category: 'security' | 'performance';
  /** The table or view that it concerns. */
  table: { schema: string; name: string } | undefined;
  isFixable: boolean;
}

/** A finding with the SQL of its correction. */
export interface FindingFix {
  finding: ShownFinding;
  sql: string;
}

/** The findings, or the reason why they are missing. */
export type FindingList =
  | { kind: 'findings'; findings: readonly ShownFinding[] }
  | { kind: 'problem'; text: string };

/** The data of the advisors. `fix` is the selected correction. */
export interface AdvisorsView {
  kind: 'advisors';
  list: MaybePromise<FindingList>;
  fix: FindingFix | 'gone' | undefined;
  /** The reason why schemas cannot be changed; null if they can. */
  refusal: MetaStatus['schema_changes_refusal'];
}

/** The result of a correction that was not made. */
export type FixResult = { kind: 'fix-gone' } | NotChangedResult;

const LEVELS = ['ERROR', 'WARN', 'INFO'];
const RELATIONS = new Set(['table', 'view', 'materialized view', 'foreign table']);

/** Returns all findings, the most severe first. */
export async function loadFindings(meta: MetaClient): Promise<ShownFinding[]> {
  return (await meta.advisors())
    .map(shownOf)
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

/** Returns the correction of a finding; undefined if the finding no longer exists or has none. */
export async function loadFix(meta: MetaClient, key: string): Promise<FindingFix | undefined> {
  const finding = (await meta.advisors()).find(({ cache_key: found }) => found === key);
  if (finding === undefined) return undefined;
  const sql = fixOf(finding, await detailsOf(meta, finding));
  return sql === undefined ? undefined : { finding: shownOf(finding), sql };
}

function shownOf(finding: AdvisorFinding): ShownFinding {
  const { name, title, level, description, detail, remediation, cache_key, categories, metadata } = finding;
  const { schema, name: object, type } = metadata;
  const hasTable = typeof schema === 'string' && typeof object === 'string' && RELATIONS.has(String(type));
  return {
    ...{ name, title, level, description, detail, remediation, cache_key },
    category: categories.includes('SECURITY') ? 'security' : 'performance',
    table: hasTable ? { schema, name: object } : undefined,
    isFixable: isFixable(name),
  };
}

async function detailsOf(meta: MetaClient, { name, metadata }: AdvisorFinding): Promise<FixDetails> {
  const schema = String(metadata.schema ?? '');
  const object = String(metadata.name ?? '');
  if (name === 'auth_rls_initplan') {
    const table = await loadTable(meta, { schema, name: object });
    return { policy: table?.policies.find((policy) => policy.name === metadata.policy_name) };
  }
  if (name === 'unindexed_foreign_keys') {
    const rows = await meta.rows<{ name: string }>(KEY_COLUMNS, [schema, object, String(metadata.fkey_name)]);
    return { columns: rows.map((row) => row.name) };
  }
  if (name !== 'duplicate_index') return {};
  const rows = await meta.rows<{ name: string }>(CONSTRAINT_INDEXES, [schema, object]);
  return { constraintIndexes: rows.map((row) => row.name) };
}

const KEY_COLUMNS = `
  select a.attname::text as name
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join unnest(k.conkey) with ordinality x(number, place)
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = x.number
  where n.nspname = $1 and c.relname = $2 and k.conname = $3 and k.contype = 'f'
  order by x.place`;

const CONSTRAINT_INDEXES = `
  select x.relname::text as name
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class x on x.oid = k.conindid
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2 and k.contype in ('p', 'u', 'x')`;
