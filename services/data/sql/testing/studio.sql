-- A schema for reading: keys of all kinds, types of many kinds, computed fields and relationships.
create schema studio;
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
set client_min_messages = error;
create cast (studio.colour as json) with function studio.json(studio.colour) as implicit;
create cast (text as studio.colour) with function studio.colour(text) as implicit;
reset client_min_messages;

create domain "text/names" as text;
create function studio.add_name("text/names", studio.directors) returns "text/names" immutable language sql
  as $$ select (coalesce($1 || '+', '') || $2.name)::"text/names" $$;
create aggregate studio.names(studio.directors) (sfunc = studio.add_name, stype = "text/names");
