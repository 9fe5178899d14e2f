-- Services reach two tables of the platform through views, which have the rights of their owner, instead of policies.
-- `supabase db reset --db-url` of the Supabase CLI drops all policies of the database as postgres, and ends with an error at a
-- table that does not belong to postgres.

create view greenroom.outbox as
  select channel, kind, recipient, subject, text_body, html_body, link, state, code, next_attempt_at
  from greenroom.messages;
comment on view greenroom.outbox is 'Inserts into greenroom.messages by services, which may not read them.';
grant insert on greenroom.outbox to supabase_auth_admin;

-- Nodes of earlier versions insert into the table itself. They share an external database only.
do $$
begin
  if greenroom.has_hosted_roles() then
    drop policy insert_messages on greenroom.messages;
    revoke all on greenroom.messages from supabase_auth_admin;
  end if;
end
$$;

-- The view has the name that statements of all versions contain.
alter table greenroom.instance rename to instance_row;
create view greenroom.instance as select is_only, id, is_from_before_ids from greenroom.instance_row;
comment on view greenroom.instance is 'The row of greenroom.instance_row, for storage.';
grant select, insert, update on greenroom.instance to supabase_storage_admin;
drop policy storage_identity on greenroom.instance_row;
revoke all on greenroom.instance_row from supabase_storage_admin;
