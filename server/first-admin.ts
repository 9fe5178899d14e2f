/**
 * The first admin: a one-time link that gives the role `admin` to the signed-in user who opens it. The database
 * contains only a hash of its token.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Database, openSession, type Statement } from '@greenroom/postgres';

const TOKEN_BYTES = 32;

/** A link is valid for one hour. docs/running.md, the output of a start and the pages mention this duration. */
const OPEN_LINK = `claimed_at is null and created_at > now() - interval '1 hour'`;

/** Creates the token of a link. Returns undefined if a link was used or is still valid, unless `force` is set. */
export async function createFirstAdminToken(admin: Database, force = false): Promise<string | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const rows = await admin.query({
    text: `insert into greenroom.first_admin_links (token_hash)
      select $1 where $2 or not exists (
        select from greenroom.first_admin_links where claimed_at is not null or (${OPEN_LINK})
      ) returning token_hash`,
    values: [hash(token), force],
  });
  return rows.length > 0 ? token : undefined;
}

/** Returns the URL that the user opens. */
export function firstAdminUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/admin?claim=${token}`;
}

/** Creates a new link even if one exists already, for users who can read the data folder. */
export async function createFirstAdminLink(admin: Database, publicUrl: string): Promise<string> {
  const token = await createFirstAdminToken(admin, true);
  return firstAdminUrl(publicUrl, token ?? '');
}

/** Operations of the app on a link. */
interface FirstAdmin {
  isOpen(token: string): Promise<boolean>;
  /** Whether the link is valid and the instance has no account yet, so that its visitor must sign up first. */
  needsFirstAccount(token: string): Promise<boolean>;
  claim(token: string, userId: string): Promise<'claimed' | 'refused'>;
}

/** Databases of {@link firstAdminLinks}. */
interface FirstAdminDatabases {
  /** Connections that own the links. */
  admin: Database;
  /**
   * URL of the owner of the database, for accounts: their table may have triggers and functions of the project, which must not
   * run with the rights of a superuser.
   */
  ownerUrl: string;
}

/** Returns the links of one database. */
export function firstAdminLinks({ admin, ownerUrl }: FirstAdminDatabases): FirstAdmin {
  const isOpen = async (token: string): Promise<boolean> => {
    const rows = await admin.query({
      text: `select from greenroom.first_admin_links where token_hash = $1 and ${OPEN_LINK}`,
      values: [hash(token)],
    });
    return rows.length > 0;
  };
  const accounts = async (statement: Statement): Promise<Record<string, unknown>[]> => {
    const session = await openSession({ url: ownerUrl, applicationName: 'greenroom first admin' });
    try {
      const [rows = []] = await session.batch([statement]);
      return rows;
    } finally {
      await session.close();
    }
  };
  return {
    isOpen,
    async needsFirstAccount(token) {
      if (!(await isOpen(token))) return false;
      const [found] = await accounts({ text: 'select exists (select from auth.users) as has_accounts' });
      return found?.has_accounts === false;
    },
    async claim(token, userId) {
      const values: [hash: string, userId: string] = [hash(token), userId];
      // If two users open the link at the same time, one of them uses it.
      const used = await admin.query({
        text: `update greenroom.first_admin_links set claimed_by = $2, claimed_at = now()
          where token_hash = $1 and ${OPEN_LINK} returning claimed_by`,
        values,
      });
      if (used.length === 0) return 'refused';
      const changed = await accounts(roleStatement(userId)).catch(async (error: unknown) => {
        await release(admin, values);
        throw error;
      });
      if (changed.length > 0) return 'claimed';
      await release(admin, values);
      return 'refused';
    },
  };
}

/** Makes a link valid again after the role could not be granted. */
async function release(admin: Database, values: [hash: string, userId: string]): Promise<void> {
  await admin.query({
    text: `update greenroom.first_admin_links set claimed_by = null, claimed_at = null
      where token_hash = $1 and claimed_by = $2`,
    values,
  });
}

function roleStatement(userId: string): Statement {
  return {
    text: `update auth.users
      set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"role": "admin"}', updated_at = now()
      where id = $1 and deleted_at is null
      returning id`,
    values: [userId],
  };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
