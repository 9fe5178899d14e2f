/** Writes planned statements as the text of a file. */
import { terminated } from '../sql/join.ts';
import type { PlannedStatement } from './engine.ts';
import type { SchemaChanges } from './plan-changes.ts';

/** Each migration has its own session, so nothing has to be reset at its end. */
const SKIP_BODY_CHECKS = 'set check_function_bodies = off;\n\n';

/** Returns the text of a migration: one statement after the other, with an empty line between them. */
export function migrationText(
  part: readonly PlannedStatement[],
  { skipsBodyChecks }: Pick<SchemaChanges, 'skipsBodyChecks'>,
): string {
  return `${skipsBodyChecks ? SKIP_BODY_CHECKS : ''}${statementsText(part)}`;
}

/** Returns statements with semicolons and an empty line between them. */
export function statementsText(statements: readonly PlannedStatement[]): string {
  return statements.map(({ sql }) => `${terminated(sql)}\n`).join('\n');
}
