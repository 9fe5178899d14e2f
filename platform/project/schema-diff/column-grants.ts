/** The order of grants: those on columns follow those on their table. */
import { encodeId, type StableId } from '@supabase/pg-delta/core';
import type { Action } from '@supabase/pg-delta/plan';

/** The part of an action that names its grants. */
type GrantingAction = Pick<Action, 'produces' | 'consumes' | 'destroys'>;

type Grant = Extract<StableId, { kind: 'acl' }>;

/**
 * Moves changes of column privileges behind those of table privileges of the same role. pg-delta begins each change of
 * table privileges with `revoke all on <table>`, which also revokes the privileges on columns (PostgreSQL, REVOKE).
 */
export function columnGrantsLast<T extends GrantingAction>(actions: readonly T[]): T[] {
  const lastOfTable = new Map<string, number>();
  for (const [index, action] of actions.entries()) {
    for (const grant of grantsOf(action))
      if (grant.column === undefined) lastOfTable.set(keyOf(grant), index);
  }
  const delayed = new Map<number, T[]>();
  const order: T[] = [];
  for (const [index, action] of actions.entries()) {
    const columns = grantsOf(action).filter(({ column }) => column !== undefined);
    const after = Math.max(index, ...columns.map((grant) => lastOfTable.get(keyOf(grant)) ?? index));
    if (after > index) delayed.set(after, [...(delayed.get(after) ?? []), action]);
    else order.push(action, ...(delayed.get(index) ?? []));
  }
  return order;
}

function grantsOf({ produces, consumes, destroys }: GrantingAction): Grant[] {
  return [...produces, ...consumes, ...destroys].filter((id) => id.kind === 'acl');
}

function keyOf({ target, grantee }: Grant): string {
  return `${encodeId(target)} ${grantee}`;
}
