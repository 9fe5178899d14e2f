/** The form of a policy: its fields, its problems, and the definition that it was based on. */
import { withoutParentheses } from '../access/conditions.ts';
import { type PolicyDefinition, VERBS, type Verb } from '../access/model.ts';
import { clausesOf } from './policy-sql.ts';

const MAX_NAME_BYTES = 63;

/** A problem of a field. */
export type DraftProblem = 'name' | 'name-length' | 'roles' | 'using' | 'check' | 'clauses';

/** Reads the fields of a form. Unknown commands are those for all statements. */
export function readDraft(form: FormData): PolicyDefinition {
  // Line breaks of forms are those of HTTP.
  const text = (name: string) =>
    String(form.get(name) ?? '')
      .replaceAll('\0', '')
      .replaceAll('\r\n', '\n');
  const clause = (name: string) => text(name).trim() || null;
  return {
    name: text('name').trim(),
    command: VERBS.find((verb) => verb === text('command')) ?? 'all',
    isPermissive: text('permissive') !== 'false',
    roles: form.getAll('roles').map((role) => String(role).replaceAll('\0', '')),
    using: clause('using'),
    check: clause('check'),
  };
}

/** Returns a policy of the catalog as a form shows it: without the parentheses around expressions. */
export function shownPolicy(policy: PolicyDefinition): PolicyDefinition {
  const { name, command, isPermissive, roles, using, check } = policy;
  const shown = (expression: string | null) => (expression === null ? null : withoutParentheses(expression));
  return { name, command, isPermissive, roles, using: shown(using), check: shown(check) };
}

/** Returns the first problem of a draft; undefined if PostgreSQL has to decide. */
export function problemOf(draft: PolicyDefinition): DraftProblem | undefined {
  if (draft.name === '') return 'name';
  if (new TextEncoder().encode(draft.name).length > MAX_NAME_BYTES) return 'name-length';
  if (draft.roles.length === 0) return 'roles';
  return clauseProblemOf(draft);
}

function clauseProblemOf({ command, using, check }: PolicyDefinition): DraftProblem | undefined {
  const { using: hasUsing, check: hasCheck } = clausesOf(command);
  if (hasUsing && hasCheck) return using === null && check === null ? 'clauses' : undefined;
  if (hasUsing) return using === null ? 'using' : undefined;
  return check === null ? 'check' : undefined;
}

/** Returns a text that is equal for equal definitions: a form sends it back to detect changes of others meanwhile. */
export function baseOf({ name, command, isPermissive, roles, using, check }: PolicyDefinition): string {
  return JSON.stringify([name, command, isPermissive, [...roles].sort(), using, check]);
}

/** Reads a base. Undefined if it is none. */
export function readBase(text: string): PolicyDefinition | undefined {
  try {
    const [name, command, isPermissive, roles, using, check] = JSON.parse(text) as [
      string,
      Verb | 'all',
      boolean,
      string[],
      string | null,
      string | null,
    ];
    return { name, command, isPermissive, roles, using, check };
  } catch {
    return undefined;
  }
}
