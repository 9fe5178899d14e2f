/** `api.auto_expose_new_tables`: the rights of the roles of the API on objects that migrations create later. */
import type { Session } from '@greenroom/postgres';

const ROLES = 'anon, authenticated, service_role';

/** The rights that a hosted project does not grant if its new tables are not exposed. */
const RIGHTS = [
  'select, insert, update, delete on tables',
  'usage, select on sequences',
  'execute on functions',
];

/**
 * Changes the default privileges of the session's role in `public`. Tables that exist keep their rights. Undefined changes
 * nothing: a database exposes new tables unless a start has changed that.
 */
export async function exposeNewTables(session: Session, isExposed: boolean | undefined): Promise<void> {
  if (isExposed === undefined) return;
  const [verb, preposition] = isExposed ? ['grant', 'to'] : ['revoke', 'from'];
  await session.batch(
    RIGHTS.map((rights) => ({
      text: `alter default privileges in schema public ${verb} ${rights} ${preposition} ${ROLES}`,
    })),
  );
}
