/**
 * The first admin: a one-time link that gives the role `admin` to the signed-in user who opens it. The database
 * contains only a hash of its token.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Database, Statement } from '@greenroom/postgres';

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

/** Returns the links of one database. */
export function firstAdminLinks(admin: Database): FirstAdmin {
  return {
    async isOpen(token) {
      const rows = await admin.query({
        text: `select from greenroom.first_admin_links where token_hash = $1 and ${OPEN_LINK}`,
        values: [hash(token)],
      });
      return rows.length > 0;
    },
    async needsFirstAccount(token) {
      const rows = await admin.query({
        text: `select from greenroom.first_admin_links
          where token_hash = $1 and ${OPEN_LINK} and not exists (select from auth.users)`,
        values: [hash(token)],
      });
      return rows.length > 0;
    },
    async claim(token, userId) {
      const rows = await admin.query(claimStatement(hash(token), userId));
      return rows.length > 0 ? 'claimed' : 'refused';
    },
  };
}

/** A single statement, so that if two users open the link at the same time, exactly one becomes admin. */
function claimStatement(tokenHash: string, userId: string): Statement {
  return {
    text: `with used as (
        update greenroom.first_admin_links set claimed_by = $2, claimed_at = now()
        where token_hash = $1 and ${OPEN_LINK}
          and exists (select from auth.users where id = $2 and deleted_at is null)
        returning claimed_by
      )
      update auth.users
      set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"role": "admin"}', updated_at = now()
      from used where users.id = used.claimed_by
      returning users.id`,
    values: [tokenHash, userId],
  };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
