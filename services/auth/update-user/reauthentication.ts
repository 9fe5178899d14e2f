/** A new password in an old session needs a code of GET /reauthenticate, where the configuration says so. */
import type { Statement } from '@greenroom/postgres';
import type { Caller } from '../caller.ts';
import type { AuthContext } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { hashCode } from '../one-time/code.ts';
import type { Changes } from './changes.ts';

/** GoTrue's: whoever signed in so lately need not do it again. */
const RECENTLY_MS = 24 * 3_600_000;

/** Uses the code up. Throws `reauthentication_needed` and `reauthentication_not_valid`. */
export async function requireReauthentication(
  { password, nonce }: Changes,
  { user, session }: Caller,
  { config, database, now }: AuthContext,
): Promise<void> {
  if (!password || !config.password.requireReauthentication) return;
  const signedInAt = session === undefined ? 0 : new Date(session.created_at).getTime();
  if (now().getTime() - signedInAt <= RECENTLY_MS) return;
  if (nonce === '') throw failure('reauthentication_needed');
  const channel = user.email ? 'email' : 'phone';
  const token = hashCode(user.email || user.phone || '', nonce);
  const sentAfter = new Date(now().getTime() - config.codes[channel].lifetimeMs);
  const used = await database.query(useReauthentication(user.id, token, sentAfter));
  if (used.length === 0) throw failure('reauthentication_not_valid');
}

/** Answers a row where the token was good. */
function useReauthentication(id: string, token: string, sentAfter: Date): Statement {
  return {
    name: 'auth_use_reauthentication',
    text: `with used as (
        update auth.users set reauthentication_token = ''
        where id = $1 and reauthentication_token = $2 and reauthentication_sent_at >= $3
        returning id
      ), forgotten as (
        delete from auth.one_time_tokens t using used
        where t.user_id = used.id and t.token_type = 'reauthentication_token'
      )
      select id from used`,
    values: [id, token, sentAfter],
  };
}
