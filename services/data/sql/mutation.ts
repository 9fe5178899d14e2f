/** SQL of INSERT, UPDATE and DELETE with their RETURNING clauses. */
import type { Condition } from '../plan/read-node.ts';
import type { WritePlan, WrittenBody } from '../plan/write-plan.ts';
import { bodyRowsSql } from './body-rows.ts';
import { conditionSql } from './condition.ts';
import { EMPTY, type Fragment, join, name, qualified, sql } from './sql.ts';

/** Alias of the rows of the body. */
const BODY = 'pgrst_body';
/** Alias of the target relation if its own name is reserved. */
const TARGET = 'pgrst_target';

/**
 * Returns the SQL of a mutation.
 * @param returned names of the columns to return; undefined returns all, an empty list returns the constant 1 for each row
 */
export function mutationSql(plan: WritePlan, returned: readonly string[] | undefined): Fragment {
  const alias = aliasOf(plan);
  const list = returnedSql(alias, returned);
  const target = targetSql(plan);
  const where = whereSql(alias, plan.conditions);
  switch (plan.kind) {
    case 'insert':
    case 'put':
      return sql`${insertSql(plan)} returning ${list}`;
    case 'update':
      if (plan.body.columns.length === 0) return emptyUpdateSql(target, list, returned);
      return sql`${updateSql(plan.body, target)}${where} returning ${list}`;
    case 'delete':
      return sql`delete from ${target}${where} returning ${list}`;
  }
}

/**
 * The number of rows that a merge inserted; valid after all rows have been written. Null or at most 0 if it inserted none.
 * May exceed the real number, because it includes rows that a trigger skipped.
 */
export const MERGE_COUNT = sql`nullif(current_setting('pgrst.inserted', true), '')::bigint`;

/** Whether the insert maintains {@link MERGE_COUNT}. */
export function countsMerge({ body, arbiter, resolution }: WritePlan): boolean {
  return resolution === 'merge-duplicates' && arbiter.length > 0 && body.columns.length > 0;
}

function targetSql(plan: WritePlan): Fragment {
  return sql`${qualified(plan.relation)} as ${name(aliasOf(plan))}`;
}

/** The alias is the relation's own name unless it is reserved: `excluded` by PostgreSQL, the other one for the body. */
function aliasOf({ relation }: WritePlan): string {
  return relation.name === BODY || relation.name === 'excluded' ? TARGET : relation.name;
}

function returnedSql(alias: string, returned: readonly string[] | undefined): Fragment {
  if (returned === undefined) return sql`${name(alias)}.*`;
  if (returned.length === 0) return sql`1`;
  return join(
    returned.map((column) => name(alias, column)),
    ', ',
  );
}

/** An UPDATE requires at least one assignment, so an update without columns becomes a query without rows. */
function emptyUpdateSql(target: Fragment, list: Fragment, returned: readonly string[] | undefined): Fragment {
  // A query that reads no columns needs no privilege on the relation.
  return returned?.length === 0 ? sql`select 1 where false` : sql`select ${list} from ${target} where false`;
}

function updateSql(body: WrittenBody, target: Fragment): Fragment {
  const assignments = body.columns.map((column) => sql`${name(column.name)} = ${name(BODY, column.name)}`);
  return sql`update ${target} set ${join(assignments, ', ')} from (${bodyRowsSql(body)}) as ${name(BODY)}`;
}

/** Returns the SQL of an insert without RETURNING. */
export function insertSql(plan: WritePlan): Fragment {
  const { body } = plan;
  const target = targetSql(plan);
  const columns = body.columns.map((column) => name(column.name));
  const values = body.columns.map((column) => name(BODY, column.name));
  const into = columns.length === 0 ? target : sql`${target} (${join(columns, ', ')})`;
  const where = countsMerge(plan) ? countedSql(plan) : whereSql(BODY, plan.conditions);
  return sql`insert into ${into} select ${join(values, ', ')} from (${bodyRowsSql(body)}) as ${name(BODY)}${where}${conflictSql(plan, columns)}`;
}

/**
 * Counts inserted rows of a merge in a setting: it is incremented before each row is inserted and decremented if the row
 * already exists. System columns such as `xmax` cannot tell inserts from updates in views and partitions. The setting is
 * local to the transaction; after an earlier transaction on the same connection set it, it is empty instead of null.
 */
const COUNT_SO_FAR = sql`coalesce(${MERGE_COUNT}, 0)`;
const COUNT_UP = sql`set_config('pgrst.inserted', (${COUNT_SO_FAR} + 1)::text, true) is not null`;
const COUNT_DOWN = sql`set_config('pgrst.inserted', (${COUNT_SO_FAR} - 1)::text, true) is not null`;

function conflictSql(plan: WritePlan, columns: readonly Fragment[]): Fragment {
  const { arbiter, resolution } = plan;
  if (arbiter.length === 0) return EMPTY;
  const index = join(
    arbiter.map((column) => name(column)),
    ', ',
  );
  if (resolution === 'ignore-duplicates' || columns.length === 0)
    return sql` on conflict (${index}) do nothing`;
  const assignments = columns.map((column) => sql`${column} = excluded.${column}`);
  return sql` on conflict (${index}) do update set ${join(assignments, ', ')} where ${COUNT_DOWN}`;
}

/** Counts only rows that match the conditions. Unlike AND, CASE guarantees the order of evaluation. */
function countedSql({ conditions }: WritePlan): Fragment {
  if (conditions.length === 0) return sql` where ${COUNT_UP}`;
  return sql` where case when ${allSql(BODY, conditions)} then ${COUNT_UP} end`;
}

function whereSql(alias: string, conditions: readonly Condition[]): Fragment {
  return conditions.length === 0 ? EMPTY : sql` where ${allSql(alias, conditions)}`;
}

function allSql(alias: string, conditions: readonly Condition[]): Fragment {
  return join(
    conditions.map((condition) => conditionSql(alias, condition, noEmbed)),
    ' and ',
  );
}

function noEmbed(): never {
  throw new Error('rows of embeds cannot be a condition of a write');
}
