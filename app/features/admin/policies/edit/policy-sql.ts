/** The SQL that creates, changes and drops policies, and that switches row-level security. */
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import type { PolicyDefinition, TableName, Verb } from '../access/model.ts';

/** A switch of row-level security. */
export type RlsSwitch = 'enable' | 'disable' | 'force' | 'no force';

const HAS_USING: Readonly<Record<Verb | 'all', boolean>> = {
  all: true,
  select: true,
  insert: false,
  update: true,
  delete: true,
};
const HAS_CHECK: Readonly<Record<Verb | 'all', boolean>> = {
  all: true,
  select: false,
  insert: true,
  update: true,
  delete: false,
};

/** Returns the clauses that a policy for this command can have. */
export function clausesOf(command: Verb | 'all'): { using: boolean; check: boolean } {
  return { using: HAS_USING[command], check: HAS_CHECK[command] };
}

/** Returns the statement that creates a policy. Clauses that its command cannot have are omitted. */
export function createPolicySql(table: TableName, policy: PolicyDefinition): string {
  const { using, check } = clausesOf(policy.command);
  const lines = [
    `create policy ${quoteIdentifier(policy.name)} on ${quoteQualified(table.schema, table.name)}`,
    `  as ${policy.isPermissive ? 'permissive' : 'restrictive'}`,
    `  for ${policy.command}`,
    `  to ${rolesSql(policy.roles)}`,
    ...(using && policy.using ? [`  using (${policy.using})`] : []),
    ...(check && policy.check ? [`  with check (${policy.check})`] : []),
  ];
  return `${lines.join('\n')};`;
}

/** Returns the statement that drops a policy. */
export function dropPolicySql(table: TableName, { name }: Pick<PolicyDefinition, 'name'>): string {
  return `drop policy ${quoteIdentifier(name)} on ${quoteQualified(table.schema, table.name)};`;
}

/**
 * Returns the statements that turn a policy into another; an empty text if both are equal. PostgreSQL can neither change the
 * command and the kind of a policy nor remove a clause, so such a policy is replaced.
 */
export function changePolicySql(table: TableName, from: PolicyDefinition, to: PolicyDefinition): string {
  const wanted = withoutForeignClauses(to);
  const isReplaced =
    from.command !== to.command ||
    from.isPermissive !== to.isPermissive ||
    (from.using && !wanted.using) ||
    (from.check && !wanted.check);
  if (isReplaced) return `${dropPolicySql(table, from)}\n${createPolicySql(table, to)}`;
  const target = `${quoteIdentifier(from.name)} on ${quoteQualified(table.schema, table.name)}`;
  const changes = [
    ...(sameRoles(from.roles, to.roles) ? [] : [`  to ${rolesSql(to.roles)}`]),
    ...(wanted.using && wanted.using !== from.using ? [`  using (${wanted.using})`] : []),
    ...(wanted.check && wanted.check !== from.check ? [`  with check (${wanted.check})`] : []),
  ];
  const statements = [
    ...(changes.length > 0 ? [`alter policy ${target}\n${changes.join('\n')};`] : []),
    ...(from.name === to.name ? [] : [`alter policy ${target} rename to ${quoteIdentifier(to.name)};`]),
  ];
  return statements.join('\n');
}

/** Returns the statement that switches row-level security of a table. */
export function rlsSql(table: TableName, change: RlsSwitch): string {
  return `alter table ${quoteQualified(table.schema, table.name)} ${change} row level security;`;
}

/** Returns the switch that undoes a switch. */
export function oppositeOf(change: RlsSwitch): RlsSwitch {
  const opposites = { enable: 'disable', disable: 'enable', force: 'no force', 'no force': 'force' } as const;
  return opposites[change];
}

function withoutForeignClauses(policy: PolicyDefinition): PolicyDefinition {
  const { using, check } = clausesOf(policy.command);
  return { ...policy, using: using ? policy.using : null, check: check ? policy.check : null };
}

/** `public` is a keyword. */
function rolesSql(roles: readonly string[]): string {
  return roles.map((role) => (role === 'public' ? 'public' : quoteIdentifier(role))).join(', ');
}

function sameRoles(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((role) => others.includes(role));
}
