-- Mail and SMS on their way: written in the same transaction as the code or link that they carry, so that neither
-- exists without the other, and delivered afterwards. Where no way of sending is configured they stay here, as a
-- mailbox for administrators.
create table greenroom.messages (
  id uuid primary key default gen_random_uuid(),
  channel text not null check (channel in ('mail', 'sms', 'whatsapp')),
  -- What it is for, e.g. `recovery`.
  kind text not null,
  recipient text not null,
  subject text,
  text_body text not null,
  html_body text,
  -- What the recipient is meant to open, if anything.
  link text,
  state text not null check (state in ('queued', 'sent', 'kept', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  -- The provider's name for the message.
  provider_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index messages_due_idx on greenroom.messages (next_attempt_at) where state = 'queued';
create index messages_created_at_idx on greenroom.messages (created_at desc);
alter table greenroom.messages enable row level security;
comment on table greenroom.messages is 'Mail and SMS: the outbox, and the mailbox of what is not sent anywhere.';

-- A service may put messages into the outbox, but not read them.
create policy insert_messages on greenroom.messages for insert to supabase_auth_admin with check (true);
grant usage on schema greenroom to supabase_auth_admin;
grant insert on greenroom.messages to supabase_auth_admin;
