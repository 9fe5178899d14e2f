-- Objects of a project in the database of an earlier version, one of each kind that has an owner or grantees.
create schema shop;
create type shop.size as enum ('s', 'm');
create type shop.pair as (a int, b int);
create domain shop.price as numeric check (value >= 0);
create type shop.span as range (subtype = float8);
create sequence shop.numbers;
create table public.products (
  id bigint generated always as identity primary key, code serial, price shop.price, size shop.size, span shop.span,
  width int, height int
);
comment on table public.products is 'wares';
insert into public.products (price, size) values (3, 's');
alter table public.products enable row level security;
grant select on public.products to anon;
create table shop.events (at date not null) partition by range (at);
create table shop.events_2026 partition of shop.events for values from ('2026-01-01') to ('2027-01-01');
create view public.cheap as select id from public.products where price < 5;
create materialized view shop.totals as select count(*) from public.products;
create function public.total() returns bigint language sql security definer as 'select count(*) from auth.users';
create procedure shop.work() language sql as 'select 1';
create function shop.equal(a int, b int) returns boolean language sql immutable as 'select a = b';
create aggregate shop.sum_all(int) (sfunc = int4pl, stype = int);
create operator shop.=== (leftarg = int, rightarg = int, function = shop.equal);
create operator class shop.int_class for type int using hash as operator 1 = (int, int), function 1 hashint4(int);
create collation shop.german from "C";
create conversion shop.to_latin for 'UTF8' to 'LATIN1' from utf8_to_iso8859_1;
create text search dictionary shop.words (template = simple);
create text search configuration shop.search (copy = simple);
create statistics shop.sizes on width, height from public.products;
create publication shop_changes for table public.products;
create publication everything for all tables;
alter publication supabase_realtime add table public.products;
create subscription shop_copies connection 'host=127.0.0.1 password=x' publication p
  with (connect = false, enabled = false, slot_name = none);
create extension postgres_fdw with schema extensions;
create extension hstore with schema extensions;
create extension pg_cron version '0';
-- placeholder of pg_cron
select cron.schedule('nightly', '0 3 * * *', 'vacuum');
create server remote foreign data wrapper postgres_fdw options (host 'localhost', dbname 'it''s');
create user mapping for postgres server remote options (user 'ann', password 'it''s a secret');
create foreign table shop.remote_things (id int) server remote;
select lo_create(4711);

-- Objects of the project in schemas of services.
create function auth.is_ann() returns boolean language sql as 'select true';
create table realtime.notes (id int);
create function public.add_profile() returns trigger language plpgsql as 'begin return new; end';
create trigger on_user after insert on auth.users for each row execute function public.add_profile();
create policy files on storage.objects for select using (true);
create schema supabase_migrations;
create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);

-- An event trigger runs its function as any role.
create function public.watch() returns event_trigger language plpgsql as $$
begin
  if current_setting('shop.is_closed', true) = 'on' then
    raise exception 'the shop is closed';
  end if;
end $$;
create event trigger watch_tables on ddl_command_end execute function public.watch();

-- Other roles.
create role clerk;
create role intern login password 'intern';
grant clerk to postgres;
grant postgres to intern;
create table shop.of_clerk (id int);
alter table shop.of_clerk owner to clerk;
grant select, insert on shop.of_clerk to postgres;
grant usage on schema shop to clerk;
create policy mine on public.products to postgres, clerk using (true);
alter default privileges in schema shop grant select on tables to anon, postgres;
alter default privileges for role clerk in schema shop grant select on tables to postgres with grant option;
alter default privileges revoke execute on functions from public;

-- Objects and rights of the role that makes room.
create table shop.of_admin (id int);
alter table shop.of_admin owner to supabase_admin;
grant select on public.products to supabase_admin;
grant supabase_admin to intern;
alter default privileges for role supabase_admin in schema shop grant select on tables to authenticated;

alter role postgres set statement_timeout = '1min';
alter role postgres in database postgres set search_path = "$user", public, shop;
comment on role postgres is 'the owner';
