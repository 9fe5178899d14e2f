/** Inserts accounts with sessions by SQL and creates their access tokens. */
import { createHmac } from 'node:crypto';
import type { Database } from '@greenroom/postgres';
import { insertPeople } from '../../auth/people.ts';
import type { Account } from '../account.ts';

const LIFE_SECONDS = 2 * 3600;

/** Inserts accounts. @param group a prefix of at most 8 characters, unique per instance */
export async function insertAccounts(
  database: Database,
  jwtSecret: string,
  group: string,
  count: number,
): Promise<Account[]> {
  const people = await insertPeople(database, group, count);
  return people.map(({ userId, sessionId, email, refreshToken }) => ({
    userId,
    email,
    refreshToken,
    accessToken: accessToken({ userId, sessionId, email }, jwtSecret),
  }));
}

interface Claims {
  userId: string;
  sessionId: string;
  email: string;
}

/** Signs an access token with the shared secret of the instance (HS256). */
function accessToken({ userId, sessionId, email }: Claims, secret: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    sub: userId,
    session_id: sessionId,
    email,
    role: 'authenticated',
    aud: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: iat }],
    is_anonymous: false,
    iat,
    exp: iat + LIFE_SECONDS,
  };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
