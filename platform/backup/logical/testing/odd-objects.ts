/** A database with objects that are difficult to restore. Its owner is the role `shop`. */

/** Statements for a new database, as its owner. */
export const ODD_OBJECTS: readonly string[] = [
  // Roles
  `create role shop_reader`,
  `create role "Shop ""Owner"""`,
  `create role shop_login login connection limit 5 valid until '2030-01-01' in role shop_reader`,
  `grant "Shop ""Owner""" to shop with inherit true, set true`,
  `alter role shop_login set statement_timeout = '3s'`,
  `alter role shop_login set search_path = "$user", public, "odd ""schema"""`,
  `do $$ begin
    execute format('alter database %I set search_path = "$user", public, extensions', current_database());
    execute format('alter role shop_login in database %I set work_mem = ''8MB''', current_database());
    execute format('revoke connect on database %I from public', current_database());
    execute format('grant connect on database %I to shop_reader', current_database());
  end $$`,
  // Names, schemas and extensions
  `create schema extensions`,
  `create extension pgcrypto schema extensions`,
  `create schema "odd ""schema"""`,
  `grant usage on schema "odd ""schema""" to shop_reader`,
  `grant all on schema "odd ""schema""" to "Shop ""Owner"""`,
  `create table "odd ""schema"""."it's; a table" ("select" int primary key, "a ""b""" text, "tab\tname" text)`,
  `insert into "odd ""schema"""."it's; a table" values (1, E'tab\\t line\\n back\\\\slash \\\\N "quote"', null)`,
  `alter table "odd ""schema"""."it's; a table" owner to "Shop ""Owner"""`,
  // Types
  `create type mood as enum ('fine', 'it''s tired')`,
  `create type pair as (a int, b text)`,
  `create domain positive as int check (value > 0)`,
  `create type span as range (subtype = float8)`,
  `create table typed (
    id uuid primary key default gen_random_uuid(), mood mood, pair pair, positive positive, span span,
    list text[], matrix int[][], bytes bytea, document jsonb, stamp timestamptz, local timestamp, day date, span_of_time interval,
    money numeric(20, 5), real_value float4, double_value float8, flag boolean, bits bit varying, address inet, place point,
    words tsvector, xml xml, character char(5)
  )`,
  `insert into typed (mood, pair, positive, span, list, matrix, bytes, document, stamp, local, day, span_of_time, money,
    real_value, double_value, flag, bits, address, place, words, xml, character)
   values ('it''s tired', row(1, 'x,y'), 5, '[1,2)', array['a', null, 'c,"d"'], array[[1, 2], [3, 4]], '\\x00ff0a5c', '{"a": [1, null]}',
    '2026-02-03 04:05:06.789+05', 'infinity', '0044-03-15 BC', '1 year 2 mons -3 days 04:05:06', 1.5, 'nan', 0.1, true, b'101', '10.0.0.1/8',
    '(1,2)', 'a fat cat', '<a/>', 'ab'),
   (null, null, null, null, '{}', null, '', null, null, null, null, null, null, null, '-infinity', null, null, null, null, null, null, null)`,
  // Columns
  `create table generated_columns (
    id bigint generated always as identity (start with 100), b int, doubled int generated always as (b * 2) stored,
    dropped int, later text default 'later', virtual int generated always as (b * 3) virtual
  )`,
  `alter table generated_columns drop column dropped`,
  `insert into generated_columns (b) values (1), (2)`,
  `create table without_columns ()`,
  `insert into without_columns default values`,
  `create table empty_table (id serial primary key)`,
  `create unlogged table unlogged_table (id int)`,
  `insert into unlogged_table values (1)`,
  `create sequence called_sequence increment by 7`,
  `select nextval('called_sequence'), nextval('called_sequence')`,
  `create table large (id int, text text)`,
  `insert into large select n, repeat(md5(n::text), 32768) from generate_series(1, 3) n`,
  // Inheritance and partitions
  `create table measurements (city text, day date, value int) partition by list (city)`,
  `create table measurements_north partition of measurements for values in ('Oslo') partition by range (day)`,
  `create table measurements_north_2026 partition of measurements_north for values from ('2026-01-01') to ('2027-01-01')`,
  `create table measurements_rest partition of measurements default`,
  `create index on measurements (day)`,
  `insert into measurements values ('Oslo', '2026-05-05', 1), ('Rome', '2020-01-01', 2)`,
  `create table base (id int)`,
  `create table derived (more text) inherits (base)`,
  `insert into base values (1)`,
  `insert into derived values (2, 'more')`,
  // Foreign keys in cycles, triggers, functions
  `create table person (id int primary key, best_friend int, team int)`,
  `create table team (id int primary key, captain int references person)`,
  `alter table person add foreign key (best_friend) references person, add foreign key (team) references team`,
  `with a as (insert into person values (1, 2, 1), (2, 1, 1)) insert into team values (1, 2)`,
  `create function refuse() returns trigger language plpgsql as $$
begin
-- A comment; with a semicolon at the start of a line.
  raise exception 'no rows may be added';
end $$`,
  `create trigger refuse before insert on team for each row execute function refuse()`,
  `create function total() returns bigint language sql begin atomic select count(*) from person; end`,
  `create function secret() returns text language sql security definer set search_path = '' as $$ select 'shop' $$`,
  `revoke execute on function secret() from public`,
  `grant execute on function secret() to shop_reader`,
  `create procedure nothing() language plpgsql as 'begin end'`,
  `create aggregate total_of(int) (sfunc = int4pl, stype = int, initcond = '0')`,
  // Views
  `create view friends with (security_invoker) as select a.id, b.id as friend from person a join person b on a.best_friend = b.id`,
  `create view by_key as select id, best_friend from person group by id`,
  `create materialized view totals as select team, count(*) from person group by team`,
  `create rule no_delete as on delete to base do instead nothing`,
  // Rights
  `alter table typed enable row level security`,
  `alter table typed force row level security`,
  `create policy "to shop" on typed for select to shop, shop_reader using (flag)`,
  `create policy for_all on typed as restrictive using (true) with check (positive > 0)`,
  `grant select (mood, flag), update (mood) on typed to shop_reader with grant option`,
  `grant shop_reader to shop with inherit false, set true`,
  `set role shop_reader`,
  `grant select (mood) on typed to shop_login`,
  `reset role`,
  `alter default privileges in schema public grant select on tables to shop_reader`,
  `alter default privileges for role "Shop ""Owner""" revoke execute on routines from public`,
  `create publication changes for table person, team (id) where (id > 0)`,
  `comment on table typed is 'a; comment'`,
  `comment on column typed.mood is E'two\\nlines'`,
  `create statistics typed_statistics on flag, mood from typed`,
  `alter table person replica identity full`,
  `create index partial on person (id) where team is not null`,
  `alter table person add constraint late check (id > 0) not valid`,
  `create table excluded (span int4range, exclude using gist (span with &&))`,
  // Large objects
  `select lo_from_bytea(0, '\\x0102'), lo_from_bytea(4242, decode(repeat('ab', 1500000), 'hex'))`,
  `grant select on large object 4242 to shop_reader`,
  `comment on large object 4242 is 'a picture'`,
];
