/**
 * Logins of the services' roles. Their passwords derive from the instance's secret, so they need not be stored, and
 * several nodes that share the secret derive the same ones.
 */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { quoteIdentifier, quoteLiteral } from './identifier.ts';
import { createVerifier, matchesVerifier } from './scram-verifier.ts';

/** invalid_password, and invalid_authorization_specification: the role may not log in (yet). */
const LOGIN_REFUSED = ['28P01', '28000'];

/** Returns the connection URL of a service's role on the server of `url`. */
export function roleUrl(url: string, role: string, secret: string): string {
  return loginUrlOf(url, role, rolePassword(role, secret));
}

function loginUrlOf(url: string, role: string, password: string): string {
  const target = new URL(url);
  target.username = role;
  target.password = password;
  // As parameters they would override the credentials in front of the host.
  for (const name of ['user', 'password']) target.searchParams.delete(name);
  return target.href;
}

function rolePassword(role: string, secret: string): string {
  return createHmac('sha256', secret).update(`greenroom login ${role}`).digest('base64url');
}

/** Options of {@link ensureRoleLogins}. */
interface RoleLoginOptions {
  /** Connection URL of a role that may alter the services' roles. */
  adminUrl: string;
  secret: string;
  /** Whether the roles were just created, so that they cannot have passwords yet. */
  isNew: boolean;
}

/** A role and its derived password. */
interface Login {
  role: string;
  password: string;
}

/** Ensures that roles can log in with their derived passwords. Sets the passwords of those that cannot. */
export async function ensureRoleLogins(
  roles: readonly string[],
  { adminUrl, secret, isNew }: RoleLoginOptions,
): Promise<void> {
  const logins = roles.map((role) => ({ role, password: rolePassword(role, secret) }));
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const refused = isNew ? logins : await findRefused(admin, adminUrl, logins);
    const statements = await Promise.all(
      refused.map(({ role, password }) => passwordStatement(role, password)),
    );
    if (statements.length > 0) await admin.query(statements.join(';\n'));
  } finally {
    await admin.end();
  }
}

/**
 * Returns the logins that the server would refuse. Compares passwords with the stored ones, because a login of each role
 * takes longer; only superusers may read that.
 */
async function findRefused(
  admin: pg.Client,
  adminUrl: string,
  logins: readonly Login[],
): Promise<readonly Login[]> {
  const stored = await readVerifiers(admin, logins);
  const isAccepted = async ({ role, password }: Login) => {
    const matches = stored && (await matchesVerifier(password, stored.get(role) ?? ''));
    return matches ?? canLogIn(loginUrlOf(adminUrl, role, password));
  };
  const accepted = await Promise.all(logins.map(isAccepted));
  return logins.filter((_, index) => !accepted[index]);
}

/** Returns the stored passwords of roles that may log in; undefined if `admin` may not read them. */
async function readVerifiers(
  admin: pg.Client,
  logins: readonly Login[],
): Promise<ReadonlyMap<string, string | null> | undefined> {
  const privilege = await admin.query(
    `select has_table_privilege('pg_catalog.pg_authid', 'select') as "mayRead"`,
  );
  if (!privilege.rows[0]?.mayRead) return undefined;
  const { rows } = await admin.query(
    'select rolname, rolpassword from pg_catalog.pg_authid where rolcanlogin and rolname = any ($1)',
    [logins.map(({ role }) => role)],
  );
  return new Map(rows.map((row) => [row.rolname, row.rolpassword]));
}

/** Returns the statement that permits a role to log in with a password. Its text does not contain the password itself. */
export async function passwordStatement(role: string, password: string): Promise<string> {
  // Utility statements accept no parameters. The verifier keeps the password itself out of the server's log.
  const verifier = await createVerifier(password);
  return `alter role ${quoteIdentifier(role)} login password ${quoteLiteral(verifier)}`;
}

/** Whether a login failed because of its role or password. */
export function isLoginRefused(error: unknown): boolean {
  return LOGIN_REFUSED.includes((error as pg.DatabaseError).code ?? '');
}

/** Whether the role of a URL can log in with the password of the URL. */
async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isLoginRefused(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
