import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const execute = (text: string, ...values: unknown[]) =>
  database.admin.query<Record<string, unknown>>({ text, values });

const TABLES = {
  users: `instance_id uuid, id uuid, aud varchar, role varchar, email varchar, encrypted_password varchar,
    email_confirmed_at timestamptz, invited_at timestamptz, confirmation_token varchar,
    confirmation_sent_at timestamptz, recovery_token varchar, recovery_sent_at timestamptz,
    email_change_token_new varchar, email_change varchar, email_change_sent_at timestamptz,
    last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, is_super_admin bool,
    created_at timestamptz, updated_at timestamptz, phone text, phone_confirmed_at timestamptz, phone_change text,
    phone_change_token varchar, phone_change_sent_at timestamptz, confirmed_at timestamptz,
    email_change_token_current varchar, email_change_confirm_status int2, banned_until timestamptz,
    reauthentication_token varchar, reauthentication_sent_at timestamptz, is_sso_user bool, deleted_at timestamptz,
    is_anonymous bool`,
  identities: `provider_id text, user_id uuid, identity_data jsonb, provider text, last_sign_in_at timestamptz,
    created_at timestamptz, updated_at timestamptz, email text, id uuid`,
  sessions: `id uuid, user_id uuid, created_at timestamptz, updated_at timestamptz, factor_id uuid, aal aal_level,
    not_after timestamptz, refreshed_at timestamp, user_agent text, ip inet, tag text, oauth_client_id uuid,
    refresh_token_hmac_key text, refresh_token_counter int8, scopes text, user_verified bool`,
  refresh_tokens: `instance_id uuid, id int8, token varchar, user_id varchar, revoked bool, created_at timestamptz,
    updated_at timestamptz, parent varchar, session_id uuid`,
  proven_addresses: `user_id uuid, kind text, address text, proven_at timestamptz`,
  admin_links: `user_id uuid, token_type one_time_token_type, token_hash text`,
  mfa_factors: `id uuid, user_id uuid, friendly_name text, factor_type factor_type, status factor_status,
    created_at timestamptz, updated_at timestamptz, secret text, phone text, last_challenged_at timestamptz,
    web_authn_credential jsonb, web_authn_aaguid uuid, last_webauthn_challenge_data jsonb, failures float8,
    failed_at timestamptz`,
  mfa_amr_claims: `session_id uuid, created_at timestamptz, updated_at timestamptz, authentication_method text, id uuid`,
  one_time_tokens: `id uuid, user_id uuid, token_type one_time_token_type, token_hash text, relates_to text,
    created_at timestamp, updated_at timestamp, code_hash text, failures int4, day_failures int4,
    day_began_at timestamptz`,
  audit_log_entries: `instance_id uuid, id uuid, payload json, created_at timestamptz, ip_address varchar`,
  mfa_challenges: `id uuid, factor_id uuid, created_at timestamptz, verified_at timestamptz, ip_address inet,
    otp_code text, web_authn_session_data jsonb, failures int4`,
  webauthn_credentials: `id uuid, user_id uuid, credential_id bytea, public_key bytea, attestation_type text,
    aaguid uuid, sign_count int8, transports jsonb, backup_eligible bool, backed_up bool, friendly_name text,
    created_at timestamptz, updated_at timestamptz, last_used_at timestamptz`,
  webauthn_challenges: `id uuid, user_id uuid, challenge_type text, session_data jsonb, created_at timestamptz,
    expires_at timestamptz`,
  flow_state: `id uuid, user_id uuid, auth_code text, code_challenge_method code_challenge_method, code_challenge text,
    provider_type text, provider_access_token text, provider_refresh_token text, created_at timestamptz,
    updated_at timestamptz, authentication_method text, auth_code_issued_at timestamptz, invite_token text,
    referrer text, oauth_client_state_id uuid, linking_target_id uuid, email_optional bool`,
  oauth_client_states: `id uuid, provider_type text, code_verifier text, created_at timestamptz`,
  custom_oauth_providers: `id uuid, provider_type text, identifier text, name text, client_id text, client_secret text,
    acceptable_client_ids _text, scopes _text, pkce_enabled bool, attribute_mapping jsonb, authorization_params jsonb,
    enabled bool, email_optional bool, issuer text, discovery_url text, skip_nonce_check bool, cached_discovery jsonb,
    discovery_cached_at timestamptz, authorization_url text, token_url text, userinfo_url text, jwks_uri text,
    created_at timestamptz, updated_at timestamptz, custom_claims_allowlist _text`,
  sso_providers: `id uuid, resource_id text, created_at timestamptz, updated_at timestamptz, disabled bool`,
  sso_domains: `id uuid, sso_provider_id uuid, domain text, created_at timestamptz, updated_at timestamptz`,
  saml_providers: `id uuid, sso_provider_id uuid, entity_id text, metadata_xml text, metadata_url text,
    attribute_mapping jsonb, created_at timestamptz, updated_at timestamptz, name_id_format text`,
  saml_relay_states: `id uuid, sso_provider_id uuid, request_id text, for_email text, redirect_to text,
    created_at timestamptz, updated_at timestamptz, flow_state_id uuid`,
  recovery_codes: `user_id uuid, code_hashes _text, created_at timestamptz, failures float8, failed_at timestamptz`,
  signed_messages: 'digest bytea, expires_at timestamptz',
  saml_assertions: `assertion_hash text, sso_provider_id uuid, expires_at timestamptz, flow_state_id uuid,
    session_not_after timestamptz`,
  oauth_clients: `id uuid, client_secret_hash text, registration_type oauth_registration_type, redirect_uris text,
    grant_types text, client_name text, client_uri text, logo_uri text, created_at timestamptz, updated_at timestamptz,
    deleted_at timestamptz, client_type oauth_client_type, token_endpoint_auth_method text`,
  oauth_authorizations: `id uuid, authorization_id text, client_id uuid, user_id uuid, redirect_uri text, scope text,
    state text, resource text, code_challenge text, code_challenge_method code_challenge_method,
    response_type oauth_response_type, status oauth_authorization_status, authorization_code text,
    created_at timestamptz, expires_at timestamptz, approved_at timestamptz, nonce text`,
  oauth_consents: `id uuid, user_id uuid, client_id uuid, scopes text, granted_at timestamptz, revoked_at timestamptz`,
};

describe('schema auth', () => {
  it.each(Object.entries(TABLES))('has the table %s with its columns', async (table, columns) => {
    const found = await execute(
      `select column_name || ' ' || udt_name as "column" from information_schema.columns
        where table_schema = 'auth' and table_name = $1`,
      table,
    );
    expect(found.map(({ column }) => column).sort()).toEqual(
      columns
        .split(',')
        .map((column) => column.trim())
        .sort(),
    );
  });

  it('has no other table', async () => {
    const found = await execute(
      `select relname from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r'`,
    );
    expect(found.map(({ relname }) => relname).sort()).toEqual(Object.keys(TABLES).sort());
  });

  it('belongs to the service, with row-level security on every table', async () => {
    const found = await execute(
      `select distinct pg_get_userbyid(relowner) as owner, relkind = 'r' and not relrowsecurity as is_open
        from pg_class where relnamespace = 'auth'::regnamespace`,
    );
    expect(found).toEqual([{ owner: 'supabase_auth_admin', is_open: false }]);
  });

  it.each(['anon', 'authenticated', 'service_role', 'authenticator'])(
    'is inaccessible to %s',
    async (role) => {
      for (const table of Object.keys(TABLES)) {
        const [row] = await execute(
          `select has_table_privilege($1, 'auth.' || $2::text, 'select, insert, update, delete') as is_open`,
          role,
          table,
        );
        expect(row, table).toEqual({ is_open: false });
      }
    },
  );

  it.each([
    ['factor_type', '{totp,webauthn,phone}'],
    ['factor_status', '{unverified,verified}'],
    ['aal_level', '{aal1,aal2,aal3}'],
    ['code_challenge_method', '{s256,plain}'],
    ['oauth_registration_type', '{dynamic,manual}'],
    ['oauth_authorization_status', '{pending,approved,denied,expired}'],
    ['oauth_response_type', '{code}'],
    ['oauth_client_type', '{public,confidential}'],
    [
      'one_time_token_type',
      '{confirmation_token,reauthentication_token,recovery_token,email_change_token_new,email_change_token_current,phone_change_token}',
    ],
  ])('has all values of %s', async (type, values) => {
    const [row] = await execute(`select enum_range(null::auth.${type})::text as values`);
    expect(row).toEqual({ values });
  });
});

describe('constraints', () => {
  const user = `insert into auth.users (id, email, phone, is_sso_user, confirmation_token, email_change_confirm_status)
    values (gen_random_uuid(), $1, $2, $3, $4, $5) returning id`;
  const insertUser = (
    email: string | null,
    phone: string | null = null,
    sso = false,
    token = '',
    status = 0,
  ) => execute(user, email, phone, sso, token, status);

  it.each([
    ['a duplicate address', () => [insertUser('a@x.co'), insertUser('a@x.co')], 'users_email_partial_key'],
    [
      'a duplicate number',
      () => [insertUser(null, '15550100'), insertUser(null, '15550100')],
      'users_phone_key',
    ],
    [
      'a duplicate link token',
      () => [insertUser('b@x.co', null, false, 'abc'), insertUser('c@x.co', null, false, 'abc')],
      'confirmation_token_idx',
    ],
    [
      'an unknown status',
      () => [insertUser('d@x.co', null, false, '', 3)],
      'users_email_change_confirm_status_check',
    ],
  ])('reject %s', async (_, inserts, constraint) => {
    await expect(Promise.all(inserts())).rejects.toMatchObject({ constraint });
  });

  it('allow SSO accounts to share an address and numeric codes to repeat', async () => {
    await insertUser('e@x.co', null, false, '123456');
    await insertUser('e@x.co', null, true, '123456');
  });

  it('derive confirmed_at and the address of an identity', async () => {
    const [row] = await execute(
      `insert into auth.users (id, email_confirmed_at, phone_confirmed_at)
        values (gen_random_uuid(), '2026-01-02', '2026-01-01') returning id, confirmed_at = '2026-01-01' as is_least`,
    );
    expect(row?.is_least).toBe(true);
    const [identity] = await execute(
      `insert into auth.identities (provider_id, user_id, identity_data, provider)
        values ('x', $1, '{"email": "Ann@X.co"}', 'email') returning email, id is not null as has_id`,
      row?.id,
    );
    expect(identity).toEqual({ email: 'ann@x.co', has_id: true });
  });

  it('delete all rows of a deleted user', async () => {
    const [row] = await insertUser('f@x.co');
    await execute(`insert into auth.sessions (id, user_id) values ($1, $1)`, row?.id);
    await execute(`insert into auth.refresh_tokens (token, session_id) values ('t', $1)`, row?.id);
    await execute(
      `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values ($1, $1, now(), now(), 'password')`,
      row?.id,
    );
    await execute('delete from auth.users where id = $1', row?.id);
    for (const table of ['sessions', 'refresh_tokens', 'mfa_amr_claims']) {
      expect(await execute(`select from auth.${table}`), table).toEqual([]);
    }
  });
});
