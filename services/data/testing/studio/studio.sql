-- The database of the tests below HTTP: a film studio with its workshop, theatre and library.
--
-- Tests of reading, calling and writing use the schema studio. Two parts have a schema of their own, because their tests
-- compare everything in it: the theatre is introspected, the library is described. The schema annex is exposed with each.
-- The extra search path of the theatre is props, which no connection searches by default. backstage is hidden, and only
-- service_role may enter it.
create schema studio;
create schema annex;
create schema theatre;
create schema library;
create schema props;
create schema backstage;
grant usage on schema studio, annex to anon, authenticated, service_role;

-- ---------------------------------------------------------------------------------
-- Films: keys of all kinds, types of many kinds, computed fields and relationships.
-- ---------------------------------------------------------------------------------
create domain studio.colour as integer;
create table studio.directors (id int primary key, name text not null, born date);
create table studio.films (
  id int primary key, title text not null, year int, rating numeric, director_id int references studio.directors,
  sequel_of int references studio.films, tags text[], facts jsonb, notes json, shown int4range, is_colour boolean,
  body tsvector generated always as (to_tsvector('english', title)) stored
);
create table studio.synopses (film_id int primary key references studio.films, text text);
create table studio.actors (id int primary key, name text not null);
create table studio.roles (
  film_id int references studio.films, actor_id int references studio.actors, character text,
  primary key (film_id, actor_id)
);
create table studio.screenings (
  id int primary key, film_id int not null references studio.films, hall text, seats int, sold int
);
create table studio.tickets (id int primary key, screening_id int references studio.screenings, price int);
create table studio.employees (
  id int primary key, name text, manager_id int references studio.employees, deputy_id int references studio.employees
);
create table studio.paints (id int primary key, colour studio.colour, other studio.colour);
-- Called as an embed of films would be in SQL; and a name as long as names can be.
create table studio.films_1 (id int primary key, film_id int references studio.films);
create table studio.an_extremely_long_name_that_leaves_no_room_for_anything_after_i (
  id int primary key, film_id int references studio.films_1
);
create table studio."odd ""name" (id int primary key, "a.b,c" text, "count" int, "odd ""name" int);

insert into studio.directors values (1, 'Agnes', '1928-05-30'), (2, 'Bela', '1955-07-21'), (3, 'Chloe', null);
insert into studio.films values
  (1, 'Blue Train', 1990, 7.5, 1, null, '{sea,train}', '{"kind": "drama", "sizes": [1, 2], "in": {"en": "Blue"}}', '{"a": 1}', '[1,5)', true),
  (2, 'Blue Train Returns', 1995, 6.1, 1, 1, '{train}', '{"kind": "comedy", "sizes": [3]}', null, '[4,9)', true),
  (3, 'The White Dog', 2000, 8.2, 2, null, '{dog}', null, null, '[10,20)', false),
  (4, 'Nobody, Again', null, null, null, null, null, '{"kind": null}', null, null, null);
insert into studio.synopses values (1, 'A train is blue'), (3, 'A dog is white');
insert into studio.actors values (1, 'Xenia'), (2, 'Yuri'), (3, 'Zoe');
insert into studio.roles values (1, 1, 'driver'), (1, 2, 'guard'), (2, 1, 'driver'), (3, 2, 'dog');
insert into studio.screenings values
  (1, 1, 'red', 100, 80), (2, 1, 'blue', 50, 50), (3, 2, 'red', 100, 10), (4, 3, 'red', 100, 70);
insert into studio.tickets values (1, 1, 10), (2, 1, 12), (3, 2, 8), (4, 4, 9);
insert into studio.employees values (1, 'Root', null, null), (2, 'Ann', 1, 3), (3, 'Ben', 1, null), (4, 'Cid', 2, 3);
insert into studio.paints values (1, 255, null), (2, 4096, 255);
insert into studio.films_1 values (4, 2);
insert into studio.an_extremely_long_name_that_leaves_no_room_for_anything_after_i values (5, 4);
insert into studio."odd ""name" values (1, 'x', 7, 8);

create view studio.recent_films as select id, title, director_id from studio.films where year >= 1995;
create function studio.shout(studio.films) returns text stable language sql as $$ select upper($1.title) $$;
create function studio.rivals(studio.films) returns setof studio.films stable language sql
  as $$ select * from studio.films where id <> $1.id and director_id is distinct from $1.director_id $$;
create function studio.first_sequel(studio.films) returns studio.films stable language sql
  as $$ select * from studio.films where sequel_of = $1.id limit 1 $$;
create function studio.count_to(last int) returns setof int stable language sql
  as $$ select * from generate_series(1, last) $$;
create function studio.respond() returns int volatile language sql
  as $$ select set_config('response.status', '418', true); select set_config('response.headers', '[{"x": "y"}]', true); select 1 $$;

create function studio.refuse() returns int stable language plpgsql
  as $$ begin raise exception 'refused'; end $$;

create function studio.json(studio.colour) returns json immutable language sql
  as $$ select to_json('#' || lpad(to_hex($1::int), 6, '0')) $$;
create function studio.colour(text) returns studio.colour immutable language sql
  as $$ select ('x' || lpad(ltrim($1, '#'), 8, '0'))::bit(32)::int::studio.colour $$;
create function studio.colour(json) returns studio.colour immutable language sql
  as $$ select studio.colour($1 #>> '{}') $$;
set client_min_messages = error;
create cast (studio.colour as json) with function studio.json(studio.colour) as implicit;
create cast (text as studio.colour) with function studio.colour(text) as implicit;
create cast (json as studio.colour) with function studio.colour(json) as implicit;
reset client_min_messages;

create domain "text/names" as text;
create function studio.add_name("text/names", studio.directors) returns "text/names" immutable language sql
  as $$ select (coalesce($1 || '+', '') || $2.name)::"text/names" $$;
create aggregate studio.names(studio.directors) (sfunc = studio.add_name, stype = "text/names");

-- ------------------------------------------
-- Functions of all kinds that can be called.
-- ------------------------------------------
create type studio.size as enum ('small', 'large');
create type studio.point as (x int, y int);
create domain studio.place as studio.point;
create domain studio.even as int check (value % 2 = 0);
create type studio."Odd Type" as (a int);
create sequence studio.calls;
create table studio.log (text text);

create function studio.add(a int, b int default 10) returns int immutable language sql as $$ select a + b $$;
create function studio.nothing() returns int stable language sql as $$ select null::int $$;
create function studio.close() returns void volatile language sql as $$ insert into studio.log values ('closed') $$;
create function studio.close_plpgsql() returns void volatile language plpgsql as $$ begin null; end $$;
create function studio.maybe() returns setof int stable language sql as $$ values (1), (null) $$;
create function studio.none() returns setof int stable language sql as $$ select 1 where false $$;
create function studio.strings() returns text[] stable language sql as $$ select array['a', 'b'] $$;
create function studio.many(last int) returns setof studio.even stable language sql
  as $$ select (n * 2)::studio.even from generate_series(1, last) n $$;

create function studio.origin() returns studio.point stable language sql as $$ select row(1, 2)::studio.point $$;
create function studio.no_point() returns studio.point stable language sql as $$ select null::studio.point $$;
create function studio.corner() returns studio.place stable language sql as $$ select row(3, 4)::studio.place $$;
create function studio.corners() returns setof studio.place stable language sql
  as $$ values (row(3, 4)::studio.place), (row(5, 6)::studio.place) $$;
create function studio.one_out(n int, out m int) stable language sql as $$ select n + 1 $$;
create function studio.json_out(out j json) stable language sql as $$ select '{"a": [1]}'::json $$;
create function studio.outs(inout n int, out t text, inout b boolean default true) stable language sql
  as $$ select n, 'x', b $$;
create function studio.nameless_out(out int, out text) stable language sql as $$ select 1, 'x' $$;
create function studio.table_one() returns table (a text) stable language sql as $$ select 'A' $$;
create function studio.table_two(n int) returns table ("a b" text, called int) volatile language plpgsql
  as $$ begin return query select 'A'::text, i from generate_series(1, n) i; end $$;

-- What shout means for a row depends on what the row is.
create function studio.shout(studio.directors) returns text stable language sql as $$ select upper($1.name) $$;

create function studio.film(id int) returns studio.films stable language sql
  as $$ select * from studio.films where films.id = film.id $$;
create function studio.all_films() returns setof studio.films stable language sql as $$ select * from studio.films $$;
create function studio.new_films(since int default 0) returns setof studio.films volatile language sql
  as $$ insert into studio.log values ('films'); select * from studio.films where coalesce(year, 0) >= since $$;
create function studio.films_of(director studio.directors) returns setof studio.films stable language sql
  as $$ select * from studio.films where director_id = director.id $$;
create function studio.paints() returns table (colour int, other text) stable language sql as $$ select 1, 'x' $$;
create function studio.all_paints() returns setof studio.paints stable language sql as $$ select * from studio.paints $$;
create function studio.anything() returns record stable language sql as $$ select 1 as a, 'x'::text as b $$;
create function studio.anything_plpgsql(wanted int) returns record stable language plpgsql
  as $$ declare r record; begin select wanted as a, 'x'::text as b into r; return r; end $$;
create function studio.all_anything(first int) returns setof record stable language sql
  as $$ select id, title from studio.films where id >= first $$;
create function studio.any_plpgsql() returns setof record stable language plpgsql
  as $$ begin return query select 1 as a, 2 as b; return query select 3, 4; end $$;

create function studio.joined(variadic parts text[] default '{}') returns text[] immutable language sql as $$ select parts $$;
create function studio.total(factor int, variadic numbers int[]) returns int immutable language sql
  as $$ select factor * sum(n)::int from unnest(numbers) n $$;
create function studio.boxes(variadic all_boxes box[]) returns int immutable language sql
  as $$ select cardinality(all_boxes) $$;
create function studio.codes(variadic all_codes char[]) returns char[] immutable language sql as $$ select all_codes $$;

create function studio.which() returns text stable language sql as $$ select 'none' $$;
create function studio.which(a int) returns text stable language sql as $$ select 'a' $$;
create function studio.which(a int, b text) returns text stable language sql as $$ select 'a, b' $$;
create function studio.which(c int, d int default 1) returns setof int stable language sql as $$ values (c), (d) $$;
create function studio.which(json) returns text stable language sql as $$ select 'json ' || $1::text $$;
create function studio.which(text) returns text stable language sql as $$ select 'text ' || $1 $$;
create function studio.same(a int) returns int stable language sql as $$ select 1 $$;
create function studio.same(a text) returns int stable language sql as $$ select 2 $$;
create function studio.both(json) returns int stable language sql as $$ select 1 $$;
create function studio.both(jsonb) returns int stable language sql as $$ select 2 $$;

create function studio.echo_json(json) returns json immutable language sql as $$ select $1 $$;
create function studio.echo_jsonb(jsonb) returns jsonb immutable language sql as $$ select $1 $$;
create function studio.echo_text(text) returns text immutable language sql as $$ select $1 $$;
create function studio.echo_xml(xml) returns xml immutable language sql as $$ select $1 $$;
create function studio.echo_bytea(bytea) returns bytea immutable language sql as $$ select $1 $$;
create function studio.maybe_json(json default '"default"') returns json immutable language sql as $$ select $1 $$;
create function studio.named_json(data json) returns json immutable language sql as $$ select data $$;

create function studio.chars(c char, cs char[], b bit, bs bit[]) returns json immutable language sql
  as $$ select json_build_array(c, cs, b, bs) $$;
create function studio.numbers(big bigint default null, num numeric default null, flt float8 default null)
  returns json immutable language sql as $$ select json_build_array(big, num, flt) $$;
create function studio.ints(numbers int[], texts text[] default null) returns json immutable language sql
  as $$ select json_build_array(numbers, texts) $$;
create function studio.typed(j json default null, jb jsonb default null, s studio.size default null,
  p studio.point default null, e studio.even default null, d date default null, o studio."Odd Type" default null,
  c studio.colour default null) returns json immutable language sql
  as $$ select json_build_array(j, jb, s, p, e, d, o, c::int) $$;
create function studio.kind_of(j json) returns text immutable language sql as $$ select json_typeof(j) $$;
create function studio."Quoted Name"("First ""Name""" text, "user" int) returns json immutable language sql
  as $$ select json_build_array("First ""Name""", "user") $$;
create function studio.echo("First ""Name""" text, second text) returns json immutable language sql
  as $$ select json_build_array("First ""Name""", second) $$;
create function studio.poly(a anyelement) returns text immutable language sql as $$ select a::text $$;
create function studio.poly_array(variadic a anyarray) returns text immutable language sql as $$ select a::text $$;
create function studio."given"("given" int, "result" int) returns int immutable language sql as $$ select "given" - "result" $$;
create function studio."null"() returns int immutable language sql as $$ select 1 $$;

create function studio.count_call() returns bigint volatile language sql as $$ select nextval('studio.calls') $$;
create function studio.count_stable() returns bigint stable language plpgsql
  as $$ begin return nextval('studio.calls'); end $$;
create function studio.count_row() returns table (n bigint, t text) stable language plpgsql
  as $$ begin return query select nextval('studio.calls'), 'x'::text; end $$;
create function studio.count_films() returns setof studio.films volatile language plpgsql
  as $$ begin perform nextval('studio.calls'); return query select * from studio.films; end $$;
create function studio.count_stable_films() returns setof studio.films stable language plpgsql
  as $$ begin perform nextval('studio.calls'); return query select * from studio.films; end $$;
create function studio.count_record() returns record volatile language plpgsql
  as $$ declare r record; begin select nextval('studio.calls') as a, 1 as b into r; return r; end $$;
create function studio.count_stable_record() returns record stable language plpgsql
  as $$ declare r record; begin select nextval('studio.calls') as a, 1 as b into r; return r; end $$;
create function studio.count_records() returns setof record volatile language sql
  as $$ select nextval('studio.calls'), i from generate_series(1, 3) i $$;

create function studio.fail() returns int volatile language plpgsql
  as $$ begin raise sqlstate 'PT402' using message = 'Payment', detail = 'Quota', hint = 'Upgrade'; end $$;
create function studio.write_stable() returns int stable language plpgsql
  as $$ begin insert into studio.log values ('x'); return 1; end $$;
create function studio.write() returns int volatile language sql as $$ insert into studio.log values ('x') returning 1 $$;
create function studio.careful() returns text stable language sql set default_transaction_isolation = 'repeatable read'
  set statement_timeout = '7s' as $$ select current_setting('transaction_isolation') $$;

create domain "text/plain" as text;
create domain "application/vnd.odd" as jsonb;
create domain "image/x" as bytea;
create function studio.as_text(name text) returns "text/plain" immutable language sql as $$ select 'Hello, ' || name $$;
create function studio.as_odd() returns "application/vnd.odd" immutable language sql as $$ select '{"a": 1}'::jsonb $$;
create function studio.as_image() returns "image/x" immutable language sql as $$ select '\x0102ff'::bytea $$;

create table annex.rooms (id int primary key, film_id int references studio.films);
insert into annex.rooms values (1, 2);
create function annex.rooms_of(film int) returns setof annex.rooms stable language sql
  as $$ select * from annex.rooms where film_id = film $$;
create function annex.films() returns setof studio.films stable language sql as $$ select * from studio.films $$;

-- Only what is above: the workshop has privileges of its own.
grant all on all tables in schema studio, annex to anon, authenticated, service_role;
grant all on all sequences in schema studio to authenticated;

-- ---------------------------------------------------------------------------------
-- Workshop: keys, defaults, types, views and policies of many kinds, to be written.
-- ---------------------------------------------------------------------------------
create type studio.wood as enum ('oak', 'pine', 'elm');
create domain studio.grade as integer default 3 check (value between 1 and 5);
create domain studio.label as varchar(10) not null default 'none';
create type studio.dimensions as (width int, height int);

create table studio.makers (id int primary key, name text not null, born date);
create table studio.chairs (
  id int primary key, name text, wood studio.wood default 'oak', price numeric(8, 2), tags text[], facts jsonb,
  notes json, bytes bytea, big bigint, exact numeric, size studio.dimensions, during int4range, code char(3), flags bit(4),
  made timestamptz, maker_id int references studio.makers, copy_of int references studio.chairs
);
create table studio.repairs (id int primary key, chair_id int references studio.chairs, what text);
create function studio.shout(studio.chairs) returns text stable language sql as $$ select upper($1.name) $$;
create function studio.shout(studio.makers) returns text stable language sql as $$ select upper($1.name) $$;
create function studio.siblings(studio.chairs) returns setof studio.chairs stable language sql
  as $$ select * from studio.chairs where id <> $1.id and maker_id = $1.maker_id $$;
insert into studio.makers values (1, 'Ada', '1930-01-02'), (2, 'Ben', null);
insert into studio.chairs (id, name, maker_id, copy_of) values (1, 'Stool', 1, null), (2, 'Throne', 1, 1), (3, 'Bench', 2, null);
insert into studio.repairs values (1, 1, 'leg'), (2, 2, 'back'), (3, 2, 'seat');

-- Defaults of every kind, and keys that are made.
create sequence studio.numbers;
create table studio.tools (
  id int generated by default as identity primary key, serial int default nextval('studio.numbers'),
  name text default 'hammer', owner text default current_user, grade studio.grade, fixed int not null default 7,
  at timestamp default now(), double_name text generated always as (name || name) stored, nothing int
);
create table studio.parcels (id int primary key, label studio.label, other studio.label default 'some');
create table studio.always (id int generated always as identity primary key, name text);
create table studio.two_keys (a int, b int, note text, count int default 0, primary key (b, a));
insert into studio.two_keys values (1, 1, 'one', 5), (1, 2, 'two', 6);
create table studio.only_key (id int primary key);
insert into studio.only_key values (1);
create table studio.no_key (a int, b text, unique (a));
insert into studio.no_key values (1, 'one');
create table studio.excluded (id int primary key, name text);
insert into studio.excluded values (1, 'one');
create table studio.pgrst_body (id int primary key, name text);
insert into studio.pgrst_body values (1, 'one');
create table studio."odd ""name' \" (id int primary key, "it's \ ""odd""" text default 'a\b''c', "$1" int);
create type studio."odd "" type); --" as enum ('a', 'b');
create table studio.odd_types (
  id int primary key, kind studio."odd "" type); --" default 'a', kinds studio."odd "" type); --"[]
);

-- Views: one that PostgreSQL can write through, one with defaults, one by triggers.
create view studio.short_chairs as select id, name, maker_id from studio.chairs;
create view studio.key_view as select b, a, note, count from studio.two_keys;
alter view studio.key_view alter column note set default 'from the view';
create view studio.by_trigger as select id, upper(name) as name from studio.makers;
create function studio.write_maker() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      delete from studio.makers where id = old.id;
      return old;
    end if;
    if tg_op = 'INSERT' then insert into studio.makers values (new.id, new.name);
    else update studio.makers set name = new.name where id = old.id; end if;
    return new;
  end
$$;
create trigger write_maker instead of insert or update or delete on studio.by_trigger
  for each row execute function studio.write_maker();
create view studio.joined as
  select chairs.id as chair_id, makers.id as maker_id from studio.chairs join studio.makers on makers.id = maker_id;

create table studio.sales (id int, year int, price int, primary key (id, year)) partition by list (year);
create table studio.sales_2025 partition of studio.sales for values in (2025);
create table studio.sales_2026 partition of studio.sales for values in (2026);
insert into studio.sales values (1, 2025, 10), (1, 2026, 20);

-- Triggers that keep rows from being written, and one that answers.
create table studio.guarded (id int primary key, name text);
insert into studio.guarded values (1, 'one'), (2, 'two');
create function studio.guard() returns trigger language plpgsql as $$
  begin return case when new.name = 'forbidden' then null else new end; end
$$;
create trigger guard before insert or update on studio.guarded for each row execute function studio.guard();
create table studio.answering (id int primary key);
create function studio.answer() returns trigger language plpgsql as $$
  begin
    perform set_config('response.status', (200 + new.id)::text, true);
    return new;
  end
$$;
create trigger answer before insert on studio.answering for each row execute function studio.answer();

-- A key whose type has a representation.
create table studio.swatches (colour studio.colour primary key, name text);
insert into studio.swatches values (255, 'blue');

-- Who may do what: letters are written by anybody and read by nobody, notes belong to those who wrote them.
create table studio.letters (id int primary key, text text);
grant insert, update, delete on studio.letters to anon;
create table studio.cards (id int primary key, text text, secret text default 'hidden');
insert into studio.cards values (1, 'one', 'x');
grant insert, update, delete, select (id, text) on studio.cards to anon;
create table studio.notes (id int primary key, owner text default current_user, text text);
alter table studio.notes enable row level security;
create policy write on studio.notes for insert with check (true);
create policy read on studio.notes for select using (owner = current_user);
create policy change on studio.notes for update using (owner = current_user);
create policy remove on studio.notes for delete using (owner = current_user);
grant select, insert, update, delete on studio.notes to anon, authenticated;
insert into studio.notes values (1, 'anon', 'mine'), (2, 'authenticated', 'theirs');

-- The media type of directors, for makers.
create function studio.add_name("text/names", studio.makers) returns "text/names" immutable language sql
  as $$ select (coalesce($1 || '+', '') || $2.name)::"text/names" $$;
create aggregate studio.names(studio.makers) (sfunc = studio.add_name, stype = "text/names");

-- ----------------------------------------------------
-- Theatre: one of everything that introspection reads.
-- ----------------------------------------------------
create type theatre.genre as enum ('tragedy', 'comedy', 'farce');
create domain theatre.title as varchar(80) not null;
create domain theatre.subtitle as theatre.title;
create domain theatre.mood as theatre.genre default 'comedy';
create domain theatre.colour as int;

create table theatre.author (
  id int generated by default as identity primary key,
  name text not null,
  rival_id int unique references theatre.author
);
comment on table theatre.author is 'Who writes plays';
comment on column theatre.author.name is 'As on the poster';

create table theatre.play (
  id int generated always as identity primary key,
  title theatre.subtitle,
  slug varchar(40) default 'untitled',
  code char(6),
  flags bit(8),
  mood theatre.mood,
  genre theatre.genre not null default 'tragedy',
  price numeric(8, 2),
  tags text[],
  light theatre.colour,
  author_id int references theatre.author,
  sequel_of int references theatre.play,
  loud_title text generated always as (upper(slug)) stored,
  dropped int
);
alter table theatre.play drop column dropped;

create table theatre.actor (id int primary key, name text);
create table theatre.role (
  play_id int references theatre.play,
  actor_id int references theatre.actor,
  name text,
  primary key (play_id, actor_id)
);
-- Two keys to the same table.
create table theatre.contract (
  id int primary key,
  actor_id int constraint contract_actor references theatre.actor,
  understudy_id int constraint contract_understudy references theatre.actor
);
-- No junction: its primary key does not contain the references.
create table theatre.applause (
  id int primary key,
  play_id int references theatre.play,
  actor_id int references theatre.actor
);

-- One to one: by primary key, by unique constraint, by both columns in another order; not by an index alone.
create table theatre.programme (play_id int primary key references theatre.play, pages int);
create table theatre.poster (id int primary key, play_id int unique references theatre.play);
create table theatre.review (id int primary key, play_id int references theatre.play);
create unique index on theatre.review (play_id);

create table theatre.seat (hall int, number int, is_box boolean, primary key (hall, number));
create table theatre.cushion (
  id int primary key,
  hall int,
  number int,
  foreign key (hall, number) references theatre.seat,
  unique (number, hall)
);

-- Partitioned, and partitions that are partitioned.
create table theatre.ticket (
  id int,
  season int,
  play_id int constraint ticket_play references theatre.play,
  hall int,
  number int,
  primary key (id, season),
  constraint ticket_seat foreign key (hall, number) references theatre.seat
) partition by list (season);
create table theatre.ticket_2025 partition of theatre.ticket for values in (2025);
create table theatre.ticket_2026 partition of theatre.ticket for values in (2026) partition by range (id);
create table theatre.ticket_2026_first partition of theatre.ticket_2026 for values from (0) to (1000);
create table theatre.refund (
  id int primary key,
  ticket_id int,
  season int,
  foreign key (ticket_id, season) references theatre.ticket (id, season)
);
create table theatre.leaflet (
  id int primary key,
  ticket_id int,
  season int,
  constraint leaflet_of_partition foreign key (ticket_id, season) references theatre.ticket_2025 (id, season)
);

create foreign data wrapper no_handler;
create server elsewhere foreign data wrapper no_handler;
create foreign table theatre.tour (town text) server elsewhere;

-- Hidden tables, shown by views.
create table backstage.costume (id int primary key, play_id int references theatre.play, size text);
create table backstage.wearing (
  costume_id int references backstage.costume,
  actor_id int references theatre.actor,
  primary key (costume_id, actor_id)
);
create table backstage.helper (
  play_id int references theatre.play,
  actor_id int references theatre.actor,
  primary key (play_id, actor_id)
);
create view backstage.hidden_costume as select id, play_id from backstage.costume;
create view props.costume as select id as costume_id, play_id, size from backstage.costume;
create view theatre.costume as select costume_id, play_id as worn_in, size from props.costume;
create view theatre.lost_costume as select id, play_id from backstage.hidden_costume;
create view theatre.helper as select play_id, actor_id from backstage.helper;

create table annex.playbill (
  id int primary key,
  play_id int references theatre.play,
  stamp_id int
);
create table backstage.stamp (id int primary key);
alter table annex.playbill add foreign key (stamp_id) references backstage.stamp;

-- Views of exposed tables.
create view theatre.open_play as select id, title, author_id, sequel_of from theatre.play where price > 0;
create view theatre.twice as select id as first_id, id as second_id, author_id as wrote, author_id as signed from theatre.play;
create materialized view theatre.actor_list as select id as actor_number, upper(name) as name from theatre.actor;
create view theatre.half_seat as select hall, is_box from theatre.seat;
create view theatre."odd {names) \ here" as select hall as "ha{ll", number as "num) :resno 7", 1 as "<>" from theatre.seat;
create view theatre.everybody as select id from theatre.actor union all select id from theatre.author;
create view theatre.by_common_table as with chosen as (select id as play, author_id from theatre.play) select * from chosen;
create view theatre.by_join as
  select play.id as play_id, actor.id as actor_id, play.author_id + 0 as computed_id
  from theatre.play join theatre.role on role.play_id = play.id join theatre.actor on actor.id = role.actor_id;
create view theatre.seen_by_trigger as select count(*) as plays from theatre.play;
create view theatre.nothing as select;
create function backstage.ignore() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger ignore_insert instead of insert on theatre.seen_by_trigger
  for each row execute function backstage.ignore();

-- Computed relationships.
create function theatre.author(theatre.actor) returns setof theatre.author rows 1 stable language sql
  as $$ select * from theatre.author limit 1 $$;
create function theatre.review(theatre.play) returns setof theatre.review stable language sql
  as $$ select * from theatre.review where play_id = $1.id $$;
create function theatre.sequels(theatre.play) returns setof theatre.play stable language sql
  as $$ select * from theatre.play where sequel_of = $1.id $$;
create function theatre.next_play(theatre.play) returns theatre.play stable language sql
  as $$ select * from theatre.play where sequel_of = $1.id limit 1 $$;
create function backstage.far_author(theatre.play) returns setof theatre.author rows 1 stable language sql
  as $$ select * from theatre.author limit 1 $$;
create function theatre.hidden_costume(theatre.play) returns setof backstage.costume stable language sql
  as $$ select * from backstage.costume $$;
create function theatre.shout(theatre.play) returns text immutable language sql as $$ select upper($1.slug) $$;

-- Functions.
create type theatre.place as (hall int, number int);
create domain theatre.good_place as theatre.place;
create domain theatre.better_place as theatre.good_place;
create function theatre.add(a int, b int default 1) returns int immutable language sql as $$ select a + b $$;
create function theatre.add(a int, b int, c int) returns int immutable language sql as $$ select a + b + c $$;
comment on function theatre.add(int, int) is 'Adds';
create function theatre.total(variadic prices int[]) returns bigint stable language sql
  as $$ select sum(p) from unnest(prices) p $$;
create function theatre.bounds(out low int, inout high int, step char, flag bit default '0') language sql
  as $$ select 1, high $$;
create function theatre.one_out(out answer int) language sql as $$ select 42 $$;
create function theatre.seats_of(hall int) returns table (number int, is_box boolean) stable language sql
  as $$ select s.number, s.is_box from theatre.seat s where s.hall = $1 $$;
create function theatre.plays() returns setof theatre.play stable language sql as $$ select * from theatre.play $$;
create function theatre.best_place() returns theatre.better_place stable language sql
  as $$ select row(1, 2)::theatre.better_place $$;
create function theatre.close_curtain() returns void language sql as $$ $$;
create function theatre.anything() returns record stable language sql as $$ select 1, 2 $$;
create function theatre.genres() returns setof theatre.mood stable language sql as $$ select 'farce'::theatre.mood $$;
create function theatre.body(json) returns json stable language sql as $$ select $1 $$;
create function theatre.no_body(int) returns int stable language sql as $$ select $1 $$;
create function theatre.half_named(text, other int) returns int stable language sql as $$ select other $$;
create function theatre.careful() returns void language sql
  set default_transaction_isolation = 'repeatable read' set statement_timeout = '3s' set work_mem = '8MB' as $$ $$;
create function theatre.on_change() returns trigger language plpgsql as $$ begin return null; end $$;
create function theatre.on_ddl() returns event_trigger language plpgsql as $$ begin end $$;
create procedure theatre.rehearse() language sql as $$ $$;
create aggregate theatre.product(int) (sfunc = int4mul, stype = int, initcond = '1');
create function backstage.secret() returns int language sql as $$ select 1 $$;

-- Representations.
create function theatre.json(theatre.colour) returns json immutable language sql as $$ select to_json(to_hex($1::int)) $$;
create function theatre.colour(json) returns theatre.colour immutable language sql as $$ select 1::theatre.colour $$;
create function theatre.colour(text) returns theatre.colour immutable language sql as $$ select 1::theatre.colour $$;
set client_min_messages = error;
create cast (theatre.colour as json) with function theatre.json(theatre.colour) as implicit;
create cast (json as theatre.colour) with function theatre.colour(json) as implicit;
create cast (text as theatre.colour) with function theatre.colour(text) as assignment;
reset client_min_messages;

-- Media types.
create domain "text/HTML" as text;
create domain "image/png" as bytea;
create domain "*/*" as bytea;
create domain "not a/media type" as text;
create function theatre.poster_page() returns "text/HTML" stable language sql as $$ select '<p>'::"text/HTML" $$;
create function theatre.poster_pages() returns setof "text/HTML" stable language sql as $$ select '<p>'::"text/HTML" $$;
create function theatre.odd_page() returns "not a/media type" stable language sql as $$ select ''::"not a/media type" $$;
create function backstage.draw("image/png", theatre.play) returns "image/png" language sql as $$ select $1 $$;
create function backstage.any_step("*/*", anyelement) returns "*/*" language sql as $$ select $1 $$;
create aggregate theatre.drawing(theatre.play) (sfunc = backstage.draw, stype = "image/png");
create aggregate theatre.anything(anyelement) (sfunc = backstage.any_step, stype = "*/*");
create aggregate backstage.hidden_drawing(theatre.play) (sfunc = backstage.draw, stype = "image/png");

-- ---------------------------------------------------------------------------
-- Library: one of everything that the API description shows, with privileges.
-- ---------------------------------------------------------------------------
comment on schema library is E'Library API\n\nBooks, and\nwho has them.';
grant usage on schema library to anon, service_role;

create type library.genre as enum ('novel', 'it''s poetry');
create domain library.mood as library.genre;
create domain library.shelf_mark as varchar(12) not null default 'A-1';
create domain library.place as library.shelf_mark;

create table library.authors (id int primary key, name text not null);
create view library.living_authors as select id, name from library.authors;
comment on table library.authors is E'Who writes\r\n\r\nbooks,\nmostly';
comment on column library.authors.name is 'As on the spine';
comment on column library.authors.id is 'Counts up';

create table annex.crates (id int primary key);
create table library.books (
  id int generated by default as identity primary key,
  author_id int references library.authors,
  crate_id int references annex.crates,
  first_id int unique references library.books,
  name text default 'No ''name''',
  "order" int,
  genre library.genre not null default 'novel'
);
create view library.novels as select id, author_id, name from library.books where genre = 'novel';
create view library.counts as select count(*) as books from library.books;
create materialized view library.names as select id, name from library.books;
create table library.lendings (
  book_id int references library.books, day date, reader text, primary key (book_id, day)
);
create table library.returns (
  id int primary key, book_id int, day date, foreign key (book_id, day) references library.lendings
);
create table library.years (id int, year int, primary key (id, year)) partition by list (year);
create table library.year_2026 partition of library.years for values in (2026);
create table library.nothing ();

create table library.types (
  a_smallint smallint default 1, an_integer integer default (-2), a_bigint bigint default 9007199254740993,
  a_numeric numeric(10, 2) default 1.50, a_real real, a_double double precision default '-0.25',
  a_boolean boolean default true, a_text text default now(), a_varchar varchar(40) default 'x', a_varchar_free varchar,
  a_char char(2) default 'yy', a_bit bit(3), a_uuid uuid default gen_random_uuid(), a_bytea bytea,
  a_date date default '2026-01-01', a_time timestamptz(3) default current_timestamp, an_interval interval default '1 day',
  a_json json default '{}', a_jsonb jsonb, an_array int[] default '{}', texts text[], jsons jsonb[], genres library.genre[],
  a_genre library.genre default 'it''s poetry', a_mood library.mood, a_mark library.shelf_mark, a_place library.place,
  an_inet inet, a_range int4range, a_null text default null, a_backslash text default 'a\b',
  a_sum int default 1 + 1, a_row library.authors, generated int generated always as (1) stored,
  always int generated always as identity
);

-- Privileges: none, some, some columns, only to delete, only what the API has no use for.
create table library.secrets (id int primary key);
create table library.letters (id int primary key, text text, sender text);
create table library.waste (id int primary key);
create table library.triggers (id int primary key);
create table backstage.gold (id int primary key);
grant select on library.authors, library.books, library.novels, library.counts, library.names, library.types to anon;
grant select (id), update (text) on library.letters to anon;
grant delete on library.waste to anon;
grant truncate, references, trigger on library.triggers to anon;
grant insert on library.counts, library.names to anon;
grant all on all tables in schema library to service_role;
grant all on backstage.gold to anon, service_role;

create function library.find(title text, genre library.genre default 'novel', variadic words text[] default '{}')
  returns setof library.books stable language sql as $$ select * from library.books $$;
comment on function library.find is E'Finds books\n\nby a part of their name';
create function library.add(a int, b int) returns int immutable language sql as $$ select a + b $$;
create function library.add(a int, b int, c numeric) returns numeric volatile language sql as $$ select a + b + c $$;
create function library.tidy() returns void volatile language sql as $$ $$;
create function library.kinds(j json, js jsonb[], out one int, inout two smallint default 1)
  stable language sql as $$ select 1, two $$;
create function library.store(bytea) returns int stable language sql as $$ select 1 $$;
create function library.keep(json) returns int volatile language sql as $$ select 1 $$;
create function library.book_of(library.lendings) returns text stable language sql as $$ select '' $$;
create function library.by_genres(genres library.genre[], author library.authors) returns int stable language sql
  as $$ select 1 $$;
create function library.burn(book int) returns void language sql as $$ $$;
create function backstage.open() returns int language sql as $$ select 1 $$;
create procedure library.rehearse() language sql as $$ $$;
revoke execute on function library.burn from public;
revoke execute on function library.add(int, int, numeric) from public;
grant execute on function library.burn, library.add(int, int, numeric) to service_role;

-- Anon has privileges in the schema that it may not enter; service_role may enter it, and use only these two.
grant usage on schema backstage to service_role;
revoke execute on all functions in schema backstage from public;
grant execute on function backstage.open() to public;
