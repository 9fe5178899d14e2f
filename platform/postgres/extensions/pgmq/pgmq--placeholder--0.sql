-- Two functions of the placeholder have other parameters or defaults than those of 1.5.1. Objects of a project that depend on
-- them call the new ones from now on.

create type pgmq.metrics_result as (
  queue_name text,
  queue_length bigint,
  newest_msg_age_sec int,
  oldest_msg_age_sec int,
  total_messages bigint,
  scrape_time timestamptz,
  queue_visible_length bigint
);

alter function pgmq.read(text, int, int, jsonb) rename to _placeholder_read;
alter function pgmq.create_non_partitioned(text, boolean) rename to _placeholder_create;

do $do$
begin
  begin
    drop function pgmq._placeholder_read(text, int, int, jsonb);
  exception when dependent_objects_still_exist then
    create or replace function pgmq._placeholder_read(queue_name text, vt int, qty int, conditional jsonb default '{}')
    returns setof pgmq.message_record language plpgsql
    as $$ begin return query select * from pgmq.read($1, $2, $3, $4); end $$;
  end;
  begin
    drop function pgmq._placeholder_create(text, boolean);
  exception when dependent_objects_still_exist then
    create or replace function pgmq._placeholder_create(queue_name text, is_unlogged boolean default false)
    returns void language plpgsql
    as $$ begin perform pgmq._create_queue($1, $2); end $$;
  end;
end
$do$;
