/** Derives the access of roles to tables from rights, row-level security and policies, as PostgreSQL decides it. */
import type { Policy, PolicyDefinition, RoleInfo, TableInfo, Verb } from './model.ts';

/** The access of a role to a table with one kind of statement. `isPartial`: the role has the right on some columns only. */
export type Access =
  | { kind: 'all'; reason: 'rls-off' | 'bypasses' | 'owner' | 'no-policies-possible'; isPartial: boolean }
  /** The view decides by the rights of its caller on its tables. */
  | { kind: 'invoker'; isPartial: boolean }
  | { kind: 'policy'; permissive: readonly Policy[]; restrictive: readonly Policy[]; isPartial: boolean }
  | { kind: 'refused'; reason: 'no-usage' | 'no-grant' | 'no-policy' | 'read-only' };

/** The state of a cell of the matrix. */
export type AccessState = 'all' | 'policy' | 'invoker' | 'no-grant' | 'no-policy';

const LETTERS: Readonly<Record<Verb, string>> = { select: 'S', insert: 'I', update: 'W', delete: 'D' };

/** Returns the policies for a kind of statement that apply to a role. @param role index of the role */
export function policiesFor(policies: readonly Policy[], verb: Verb, role: number): Policy[] {
  return policies.filter(
    ({ command, appliesTo }) => (command === verb || command === 'all') && appliesTo[role] === true,
  );
}

/** The clause of a policy that decides: about existing rows, or about new ones. */
export type Clause = 'using' | 'check';

/**
 * Returns the expression of a clause; without `WITH CHECK`, that of existing rows applies to new ones, too. A policy without the
 * expression counts as absent (PostgreSQL's rowsecurity.c).
 */
export function expressionOf({ using, check }: PolicyDefinition, clause: Clause): string | null {
  return clause === 'using' ? using : (check ?? using);
}

/** Returns the reason why row-level security does not apply to a role; undefined if it applies. */
export function exemptionOf(
  table: Pick<TableInfo, 'kind' | 'hasRls' | 'isForced' | 'rights'>,
  role: number,
  { bypasses }: Pick<RoleInfo, 'bypasses'>,
): (Access & { kind: 'all' })['reason'] | undefined {
  if (table.kind !== 'table' && table.kind !== 'partitioned table') return 'no-policies-possible';
  if (!table.hasRls) return 'rls-off';
  if (bypasses) return 'bypasses';
  return table.rights[role]?.includes('o') && !table.isForced ? 'owner' : undefined;
}

/** Returns the access of a role. @param role index of the role in `roles` */
export function accessOf(table: TableInfo, roles: readonly RoleInfo[], role: number, verb: Verb): Access {
  const rights = table.rights[role] ?? '';
  const letter = LETTERS[verb];
  if (!rights.includes('u')) return { kind: 'refused', reason: 'no-usage' };
  const isPartial = !rights.includes(letter);
  if (isPartial && !rights.includes(letter.toLowerCase())) return { kind: 'refused', reason: 'no-grant' };
  if (table.kind === 'materialized view' && verb !== 'select')
    return { kind: 'refused', reason: 'read-only' };
  if (table.kind === 'view' && table.isInvoker) return { kind: 'invoker', isPartial };
  const reason = exemptionOf(table, role, roles[role] ?? { bypasses: false });
  if (reason !== undefined) return { kind: 'all', reason, isPartial };
  const clause = verb === 'insert' ? 'check' : 'using';
  const policies = policiesFor(table.policies, verb, role).filter(
    (policy) => expressionOf(policy, clause) !== null,
  );
  const permissive = policies.filter((policy) => policy.isPermissive);
  if (permissive.length === 0) return { kind: 'refused', reason: 'no-policy' };
  return {
    kind: 'policy',
    permissive,
    restrictive: policies.filter((policy) => !policy.isPermissive),
    isPartial,
  };
}

/** Returns the state of a cell of the matrix. */
export function stateOf(access: Access): AccessState {
  if (access.kind !== 'refused') return access.kind;
  return access.reason === 'no-policy' ? 'no-policy' : 'no-grant';
}
