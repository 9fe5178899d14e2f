/** Hands objects over to the new `postgres` in each database of a cluster whose superuser was renamed. */
import type pg from 'pg';
import { quoteIdentifier } from '../../identifier.ts';
import { connectAsSuperuser } from './log-in.ts';
import { HAND_OVER_STATEMENTS } from './owned-objects.ts';
import { FORMER_ADMIN } from './rename-superuser.ts';
import { REPEAT_RIGHTS } from './repeat-rights.ts';
import { PROJECT_OWNER } from './role-names.ts';

/** Each statement locks its object until the end of the transaction, and the number of locks is limited. */
const STATEMENTS_PER_TRANSACTION = 500;

/** Returns the names of the databases that may have objects of the superuser or of the former `supabase_admin`. */
export async function databasesToHandOver(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    'select datname from pg_catalog.pg_database where datallowconn order by oid',
  );
  return rows.map(({ datname }) => datname);
}

/**
 * Hands over one database, the database itself last. Repeated after an interruption, it continues with the objects that
 * still belong to the superuser.
 * @param url URL of the superuser to this database
 */
export async function handOverDatabase(url: string): Promise<void> {
  const client = await connectAsSuperuser(url);
  try {
    await handOverObjects(client);
    await client.query(
      `begin;\n${REPEAT_RIGHTS};\n${removeFormerAdminFrom()};\n${await ownerStatement(client)};\ncommit`,
    );
  } finally {
    await client.end();
  }
}

async function handOverObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(HAND_OVER_STATEMENTS);
  const statements = rows.map(({ statement }) => statement);
  while (statements.length > 0) {
    const part = statements.splice(0, STATEMENTS_PER_TRANSACTION);
    await client.query(['begin', ...part, 'commit'].join(';\n'));
  }
}

/** Only a project has given objects to the former role. The superuser must not own them: some run as their owner. */
function removeFormerAdminFrom(): string {
  return `reassign owned by ${FORMER_ADMIN} to ${PROJECT_OWNER};\ndrop owned by ${FORMER_ADMIN}`;
}

async function ownerStatement(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    'select datname from pg_catalog.pg_database where datname = current_database() and datdba = 10 and not datistemplate',
  );
  const [database] = rows;
  return database
    ? `alter database ${quoteIdentifier(database.datname)} owner to ${PROJECT_OWNER}`
    : 'select';
}

/** Ends the hand-over, which {@link FORMER_ADMIN} marks as due. */
export async function removeFormerAdmin(client: pg.Client): Promise<void> {
  await client.query(`drop role ${FORMER_ADMIN}`);
}
