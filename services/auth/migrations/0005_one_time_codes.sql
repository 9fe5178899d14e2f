-- The token of a link and the code that people type become two independent secrets, and wrong codes are counted in the
-- row of the code. `token_hash` holds the hash of the link's token only. The hosted service has none of these columns.
set local role supabase_auth_admin;

alter table auth.one_time_tokens
  -- Hash of address and code.
  add column code_hash text,
  -- Wrong codes since this code was sent.
  add column failures integer not null default 0,
  -- Wrong codes within a day, for this and former codes.
  add column day_failures integer not null default 0,
  add column day_began_at timestamptz;

-- The code and the link's token were one secret. Codes that were sent go on to work. Their links stop: a token that
-- follows from the code can be guessed through the link's form.
update auth.one_time_tokens set
  code_hash = regexp_replace(token_hash, '^pkce_', ''),
  token_hash = encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex');

-- Codes of second factors: wrong ones of a challenge, and those of a factor as the level of a leaky bucket.
alter table auth.mfa_challenges add column failures integer not null default 0;
alter table auth.mfa_factors
  add column failures double precision not null default 0,
  add column failed_at timestamptz;

comment on table auth.one_time_tokens is 'Hashes of the codes and link tokens of messages that were not used yet.';
comment on column auth.one_time_tokens.token_hash is 'Hash of the token of the link.';
comment on column auth.mfa_factors.failures is 'Wrong answers that still counted at `failed_at`.';

reset role;
