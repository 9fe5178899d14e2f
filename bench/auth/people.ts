/** Signed-in users, created by SQL: hashing the passwords of so many sign-ups would take most of the time. */
import type { Database } from '@greenroom/postgres';

/** The password of all users. */
export const PASSWORD = 'correct horse';
/** Its hash at the service's cost. */
export const PASSWORD_HASH = '$2a$10$6O0g.qVhHbv402a8e5PkOeBq2Cnp52oDxNhbtRHPeop7xDHDNEpXK';
const TOKEN_LENGTH = 12;

/** A user with one session. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  email: string;
  refreshToken: string;
}

/** Inserts users. The addresses and refresh tokens of one group begin with its name. */
export function insertPeople(database: Database, group: string, count: number): Promise<SignedIn[]> {
  return database.query<SignedIn>({ text: INSERT, values: [group, count, PASSWORD_HASH, TOKEN_LENGTH] });
}

const NIL = "'00000000-0000-0000-0000-000000000000'::uuid";
const INSERT = `
  with person as (
    select gen_random_uuid() as id, gen_random_uuid() as session_id, $1 || number || '@example.org' as email,
      $1 || lpad(number::text, $4::int - length($1), '0') as token
    from generate_series(1, $2::int) number
  ), described as (
    select *, jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false) as data
    from person
  ), new_users as (
    insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
      raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    select ${NIL}, id, 'authenticated', 'authenticated', email, $3, now(),
      '{"provider": "email", "providers": ["email"]}', data, now(), now()
    from described
  ), new_identities as (
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    select id::text, id, data, 'email', now(), now() from described
  ), new_sessions as (
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, refresh_token_hmac_key)
    select session_id, id, now(), now(), 'aal1', repeat('A', 43) from person
  ), new_methods as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    select gen_random_uuid(), session_id, now(), now(), 'password' from person
  ), new_tokens as (
    insert into auth.refresh_tokens
      (instance_id, token, parent, user_id, session_id, revoked, created_at, updated_at)
    select ${NIL}, encode(sha256(token::bytea), 'hex'), '', id::text, session_id, false, now(), now() from person
  )
  select id as "userId", session_id as "sessionId", email, token as "refreshToken" from person`;
