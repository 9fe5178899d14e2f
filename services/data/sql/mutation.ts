/** INSERT, UPDATE and DELETE, with what they return. */
import type { Condition } from '../plan/read-node.ts';
import type { WritePlan, WrittenBody } from '../plan/write-plan.ts';
import { bodyRowsSql } from './body-rows.ts';
import { conditionSql } from './condition.ts';
import { EMPTY, type Fragment, join, name, qualified, sql } from './sql.ts';

/** Rows of the body. The relation that is written to has its own name, or {@link OTHER_NAME} where that is taken. */
const BODY = 'pgrst_body';
const OTHER_NAME = 'pgrst_target';

/**
 * The mutation.
 * @param returned names of columns; undefined for all, none for no more than that there is a row
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
      if (plan.body.columns.length === 0) return nothingSql(target, list, returned);
      return sql`${updateSql(plan.body, target)}${where} returning ${list}`;
    case 'delete':
      return sql`delete from ${target}${where} returning ${list}`;
  }
}

/** How many rows a merge has inserted, after all of them have been written. Null or less where there were none. */
export const MERGE_COUNT = sql`nullif(current_setting('pgrst.inserted', true), '')::bigint`;

/** Whether {@link MERGE_COUNT} is kept. */
export function countsMerge({ body, arbiter, resolution }: WritePlan): boolean {
  return resolution === 'merge-duplicates' && arbiter.length > 0 && body.columns.length > 0;
}

function targetSql(plan: WritePlan): Fragment {
  return sql`${qualified(plan.relation)} as ${name(aliasOf(plan))}`;
}

/** A name that PostgreSQL gives to rows of an insert, and that of the body, cannot be an alias. */
function aliasOf({ relation }: WritePlan): string {
  return relation.name === BODY || relation.name === 'excluded' ? OTHER_NAME : relation.name;
}

function returnedSql(alias: string, returned: readonly string[] | undefined): Fragment {
  if (returned === undefined) return sql`${name(alias)}.*`;
  if (returned.length === 0) return sql`1`;
  return join(
    returned.map((column) => name(alias, column)),
    ', ',
  );
}

/** There is no UPDATE that sets nothing. */
function nothingSql(target: Fragment, list: Fragment, returned: readonly string[] | undefined): Fragment {
  // Without columns, no privilege on the relation is needed.
  return returned?.length === 0 ? sql`select 1 where false` : sql`select ${list} from ${target} where false`;
}

function updateSql(body: WrittenBody, target: Fragment): Fragment {
  const assignments = body.columns.map((column) => sql`${name(column.name)} = ${name(BODY, column.name)}`);
  return sql`update ${target} set ${join(assignments, ', ')} from (${bodyRowsSql(body)}) as ${name(BODY)}`;
}

/** An insert that returns nothing. */
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
 * A row is counted before it is inserted, and discounted where it turns out to be there already. What the system columns of
 * a row tell does not say it for views and partitions. The setting ends with the transaction; it is empty, and not null,
 * where an earlier one on the same connection had it.
 */
const BEFORE = sql`coalesce(${MERGE_COUNT}, 0)`;
const COUNT_UP = sql`set_config('pgrst.inserted', (${BEFORE} + 1)::text, true) is not null`;
const COUNT_DOWN = sql`set_config('pgrst.inserted', (${BEFORE} - 1)::text, true) is not null`;

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

/** Rows are counted that conditions let in. Other than AND, CASE has an order that PostgreSQL keeps to. */
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
  throw new Error('rows of embeds are no condition of a write');
}
