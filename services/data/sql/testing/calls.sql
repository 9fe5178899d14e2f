-- Functions of the schema studio, of all kinds that can be called, and of a second schema that is exposed as well.
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

create schema annex;
create table annex.rooms (id int primary key, film_id int references studio.films);
insert into annex.rooms values (1, 2);
create function annex.rooms_of(film int) returns setof annex.rooms stable language sql
  as $$ select * from annex.rooms where film_id = film $$;
create function annex.films() returns setof studio.films stable language sql as $$ select * from studio.films $$;

grant usage on schema studio, annex to authenticated;
grant all on all tables in schema studio, annex to authenticated;
grant all on all sequences in schema studio to authenticated;
