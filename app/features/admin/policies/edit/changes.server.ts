/** Changes of policies and of row-level security, based on the definition that the form showed. */
import { redirect } from 'react-router';
import { refused } from '../../../../session/page-errors.ts';
import { changeSchema } from '../../shared/change-schema.server.ts';
import { loadTable } from '../access/catalog.server.ts';
import type { PolicyDefinition, TableInfo } from '../access/model.ts';
import { type FormWork, textField } from '../form-work.ts';
import { policiesPath, tableOf } from '../selection.ts';
import { baseOf, problemOf, readBase, readDraft, shownPolicy } from './draft.ts';
import {
  changePolicySql,
  createPolicySql,
  dropPolicySql,
  oppositeOf,
  type RlsSwitch,
  rlsSql,
} from './policy-sql.ts';
import type { ChangeResult } from './results.ts';

/** Creates a policy, or changes the one that the field `base` describes. */
export async function savePolicy(work: FormWork): Promise<Response | ChangeResult> {
  const draft = readDraft(work.form);
  const problem = problemOf(draft);
  if (problem) return { kind: 'draft', problem };
  const base = textField(work.form, 'base');
  return base === '' ? createPolicy(work, draft) : alterPolicy(work, draft, base);
}

async function createPolicy(work: FormWork, draft: PolicyDefinition): Promise<Response | ChangeResult> {
  const table = tableNameOf(work);
  return change(work, 'created', {
    name: `create policy ${draft.name}`,
    sql: createPolicySql(table, draft),
    entry: {
      action: 'policy.create',
      target: targetOf(work),
      summary: `Create policy ${draft.name} on ${targetOf(work)}`,
      after: draft,
      undo_sql: dropPolicySql(table, draft),
    },
  });
}

async function alterPolicy(
  work: FormWork,
  draft: PolicyDefinition,
  base: string,
): Promise<Response | ChangeResult> {
  const table = tableNameOf(work);
  const current = await findPolicy(work, base);
  if (current === undefined || baseOf(current) !== base)
    return {
      kind: 'conflict',
      current: current ? createPolicySql(table, shownPolicy(current)) : null,
      yours: createPolicySql(table, draft),
    };
  const sql = changePolicySql(table, shownPolicy(current), draft);
  if (sql === '') return redirect(policiesPath(tableOf(work.selection)));
  return change(work, 'saved', {
    name: `alter policy ${draft.name}`,
    sql,
    entry: {
      action: 'policy.alter',
      target: targetOf(work),
      summary: `Change policy ${current.name} on ${targetOf(work)}`,
      before: shownPolicy(current),
      after: draft,
      undo_sql: changePolicySql(table, draft, shownPolicy(current)),
    },
  });
}

/** Drops the policy that the field `base` describes. */
export async function dropPolicy(work: FormWork): Promise<Response | ChangeResult> {
  const table = tableNameOf(work);
  const base = textField(work.form, 'base');
  const current = await findPolicy(work, base);
  const seen = readBase(base);
  if (seen === undefined) throw refused({ status: 400, code: 'unclearForm' });
  if (current === undefined || baseOf(current) !== base)
    return {
      kind: 'conflict',
      current: current ? createPolicySql(table, shownPolicy(current)) : null,
      yours: createPolicySql(table, shownPolicy(seen)),
    };
  return change(work, 'dropped', {
    name: `drop policy ${current.name}`,
    sql: dropPolicySql(table, current),
    entry: {
      action: 'policy.drop',
      target: targetOf(work),
      summary: `Drop policy ${current.name} of ${targetOf(work)}`,
      before: shownPolicy(current),
      undo_sql: createPolicySql(table, shownPolicy(current)),
    },
  });
}

const SWITCHES: readonly RlsSwitch[] = ['enable', 'disable', 'force', 'no force'];

/** Switches row-level security. The state before it must be the opposite. */
export async function switchRls(work: FormWork): Promise<Response | ChangeResult> {
  const wanted = SWITCHES.find((name) => name === textField(work.form, 'change'));
  if (wanted === undefined) throw refused({ status: 400, code: 'unclearForm' });
  const name = tableNameOf(work);
  const table = await loadTable(work.admin.meta, name);
  if (table === undefined || stateOf(table, wanted))
    return { kind: 'conflict', current: table ? rlsSql(name, wanted) : null, yours: rlsSql(name, wanted) };
  const before = { row_level_security: table.hasRls, forced: table.isForced };
  return change(work, 'rls', {
    name: `${wanted} row level security of ${name.name}`,
    sql: rlsSql(name, wanted),
    entry: {
      action: 'table.alter',
      target: targetOf(work),
      summary: `${wanted[0]?.toUpperCase()}${wanted.slice(1)} row level security of ${targetOf(work)}`,
      before,
      undo_sql: rlsSql(name, oppositeOf(wanted)),
    },
  });
}

/** Returns whether a table already has the state that a switch leads to. */
function stateOf({ hasRls, isForced }: TableInfo, wanted: RlsSwitch): boolean {
  const states = { enable: hasRls, disable: !hasRls, force: isForced, 'no force': !isForced };
  return states[wanted];
}

async function change(
  { admin, selection }: FormWork,
  notice: string,
  schemaChange: Parameters<typeof changeSchema>[1],
): Promise<Response | ChangeResult> {
  const outcome = await changeSchema(admin, schemaChange);
  if (outcome.kind !== 'done') return { kind: 'not-changed', outcome };
  return redirect(policiesPath(tableOf(selection), { notice }));
}

async function findPolicy(work: FormWork, base: string) {
  const table = await loadTable(work.admin.meta, tableNameOf(work));
  return table?.policies.find(({ name }) => name === readBase(base)?.name);
}

function tableNameOf({ selection: { schema, table } }: FormWork) {
  if (schema === '' || table === '') throw refused({ status: 400, code: 'unclearForm' });
  return { schema, name: table };
}

function targetOf({ selection: { schema, table } }: FormWork): string {
  return `${schema}.${table}`;
}
