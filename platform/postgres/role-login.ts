/**
 * Logins of the services' roles. Their passwords derive from the instance's secret, so they need not be stored, and
 * several nodes that share the secret derive the same ones.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { quoteIdentifier, quoteLiteral } from './identifier.ts';

/** invalid_password, and invalid_authorization_specification: the role may not log in (yet). */
const LOGIN_REFUSED = ['28P01', '28000'];
/** PostgreSQL's default `scram_iterations`. */
const SCRAM_ITERATIONS = 4096;

/** Returns the connection URL of a service's role on the server of `url`. */
export function roleUrl(url: string, role: string, secret: string): string {
  const target = new URL(url);
  target.username = role;
  target.password = rolePassword(role, secret);
  // As parameters they would override the credentials in front of the host.
  for (const name of ['user', 'password']) target.searchParams.delete(name);
  return target.href;
}

function rolePassword(role: string, secret: string): string {
  return createHmac('sha256', secret).update(`greenroom login ${role}`).digest('base64url');
}

/** Options of {@link ensureRoleLogin}. */
interface RoleLoginOptions {
  /** Connection URL of a role that may alter the service's role. */
  adminUrl: string;
  secret: string;
  /** Whether the role was just created, so that it cannot have a password yet. */
  isNew: boolean;
}

/** Ensures that `role` can log in with its derived password. Sets the password only if it is not set already. */
export async function ensureRoleLogin(
  role: string,
  { adminUrl, secret, isNew }: RoleLoginOptions,
): Promise<void> {
  if (!isNew && (await canLogIn(roleUrl(adminUrl, role, secret)))) return;
  await setRolePassword(adminUrl, role, rolePassword(role, secret));
}

/** Permits a role to log in with a password. `adminUrl` logs in as a role that may alter it. */
async function setRolePassword(adminUrl: string, role: string, password: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(passwordStatement(role, password));
  } finally {
    await admin.end();
  }
}

/** Returns the statement that permits a role to log in with a password. Its text does not contain the password itself. */
export function passwordStatement(role: string, password: string): string {
  // Utility statements accept no parameters. The verifier keeps the password itself out of the server's log.
  return `alter role ${quoteIdentifier(role)} login password ${quoteLiteral(scramVerifier(password))}`;
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

/** Returns the stored form of a SCRAM-SHA-256 password (RFC 5803, as PostgreSQL writes it to pg_authid). */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
