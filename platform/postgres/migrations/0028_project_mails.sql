-- Mails of the project: `greenroom.send_mail` adds one to the outbox, in the transaction of its caller.

-- Written at each start of a server, because the function cannot read its settings.
create table greenroom.project_mail_settings (
  is_only boolean primary key default true check (is_only),
  -- Whether a mail server is configured; otherwise mails stay in the mailbox.
  is_delivered boolean not null,
  max_per_hour int not null
);
alter table greenroom.project_mail_settings enable row level security;
comment on table greenroom.project_mail_settings is 'Settings of the last start for greenroom.send_mail.';
insert into greenroom.project_mail_settings (is_delivered, max_per_hour) values (false, 1000);

create function greenroom.send_mail(recipient text, subject text, text_body text, html_body text default null)
returns uuid
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  max_recipient constant int := 254;
  max_subject constant int := 255;
  max_text constant int := 102400;
  max_html constant int := 512000;
  settings greenroom.project_mail_settings;
  problem text;
  message_id uuid;
begin
  -- One address (RFC 5321 §4.1.2) without quotes and comments, so that it can be neither a list nor a header.
  problem := case
    when recipient is null or length(recipient) > max_recipient or recipient collate "C" !~ concat(
      '^[-A-Za-z0-9!#$%&''*+/=?^_`{|}~]+(\.[-A-Za-z0-9!#$%&''*+/=?^_`{|}~]+)*@',
      '[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)+$'
    ) then 'recipient is not one email address, e.g. ada@example.org'
    when coalesce(length(subject), 0) not between 1 and max_subject or subject ~ '[\x01-\x1f\x7f-\x9f\u2028\u2029]'
      then format('subject must have 1 to %s characters, without line breaks', max_subject)
    when coalesce(octet_length(text_body), 0) not between 1 and max_text
      then format('text_body must have 1 to %s bytes', max_text)
    when octet_length(html_body) > max_html then format('html_body must have at most %s bytes', max_html)
  end;
  if problem is not null then
    raise exception using errcode = 'invalid_parameter_value', message = concat('greenroom.send_mail: ', problem);
  end if;

  select * into settings from greenroom.project_mail_settings;
  if (
    select count(*) from greenroom.messages where kind = 'project' and created_at > now() - interval '1 hour'
  ) >= settings.max_per_hour then
    raise exception using
      errcode = 'configuration_limit_exceeded',
      message = format('greenroom.send_mail: more than %s mails in an hour', settings.max_per_hour),
      hint = 'Set GREENROOM_PROJECT_MAILS_PER_HOUR.';
  end if;

  insert into greenroom.messages as m (channel, kind, recipient, subject, text_body, html_body, state, next_attempt_at)
    values (
      'mail', 'project', send_mail.recipient, send_mail.subject, send_mail.text_body, send_mail.html_body,
      case when settings.is_delivered then 'queued' else 'kept' end, 'epoch'
    )
    returning m.id into message_id;
  return message_id;
end
$$;
comment on function greenroom.send_mail is 'Sends a mail after the commit. Returns its id in greenroom.messages.';
revoke execute on function greenroom.send_mail from public;

do $do$
declare
  grantee text;
begin
  foreach grantee in array array['postgres', 'service_role']
  loop
    continue when to_regrole(grantee) is null;
    execute format('grant usage on schema greenroom to %I', grantee);
    execute format('grant execute on function greenroom.send_mail to %I', grantee);
  end loop;
end
$do$;
