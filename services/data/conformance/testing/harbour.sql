-- A harbour: rows of many types to be read and filtered, relations of many kinds to be written.
create type spot as (lat numeric(8, 6), long numeric(9, 6));
create table owners (id int primary key, name text not null, city text, founded date);
create table ships (
  id int primary key, name text not null, flag text, crew int, tonnage numeric(8, 2), in_service boolean, launched date,
  holds text[], decks int[], moored int4range, spot spot, papers jsonb, log json, story text, words tsvector,
  owner_id int references owners
);
create table calls (
  id int primary key, ship_id int references ships, day date not null, fee numeric(8, 2), pilots int, remark text,
  extras jsonb
);
create table pilots (id int primary key, call_id int references calls, name text);

insert into owners values
  (1, 'Fjord Line', 'Bergen', '1990-05-01'), (2, 'Tejo', 'Lisboa', '1975-02-03'), (3, 'Idle', null, '2020-01-01');
insert into ships values
  (1, 'Albatross', 'NO', 12, 900.50, true, '1988-04-25', '{salt,timber}', '{3,5}', '[1,4)', '(60.1,5.3)',
    '{"class": "A1", "age": 12, "checks": [{"year": 2019, "by": "Lund"}, {"year": 2021, "by": "Marsh"}]}',
    '{"pilot": "Lund", "sea": {"wind": 5}}', 'The grey cats chased the rats below deck', null, 1),
  (2, 'Bonito', 'PT', 4, 120.00, true, '2001-09-03', '{fish}', '{1}', '[3,7)', '(38.7,-9.1)',
    '{"class": "B", "age": 25, "checks": [{"year": 2020, "by": "Rocha"}]}',
    '{"pilot": "Rocha"}', 'It was fun to do what is possible', null, 2),
  (3, 'Cormorant', 'NO', 30, 4000.00, false, '1975-01-20', '{salt,timber,coal}', '{2,4,6}', '[7,12)', '(63.4,10.4)',
    '{"class": "A1", "age": 40, "checks": []}', '{"pilot": null}', 'Fun, and nearly impossible to steer', null, 1),
  (4, 'Osprey', 'GR', 12, 640.25, null, '1994-07-07', '{}', '{}', '[12,20)', '(37.9,23.6)',
    '{"class": null, "odd!@#$%^&*key": {"in!side": 3}}', null, 'C''est un voyage amusant', null, null),
  (5, 'Oden', 'GR', 7, null, true, null, null, null, null, null, null, null, null, null, 2),
  (6, 'Pelican', null, 55, 9000.00, false, '2010-12-31', '{coal}', '{9,9}', null, null,
    '[[9, 8, 7], [11, 12, 13]]', null, 'Es ist eine Kunst, Spass zu haben', null, null);
update ships set words = to_tsvector(
  (case id when 4 then 'french' when 6 then 'german' else 'english' end)::regconfig, story
);
insert into calls values
  (1, 1, '2024-03-01', 100.50, 1, 'calm', '{"dues": 10}'), (2, 1, '2024-03-02', 200.00, 2, null, '{"dues": 5}'),
  (3, 2, '2024-03-01', 50.00, 1, 'rain', null), (4, 3, '2024-03-02', 400.00, null, null, '{"dues": 20}'),
  (5, null, '2024-03-02', 49.50, 2, 'unknown', null);
insert into pilots values (1, 1, 'Lund'), (2, 2, 'Lund'), (3, 2, 'Rocha');

create view working_ships as
  select id, name, flag, in_service from ships where in_service or crew > 50 order by crew desc;
create function title(ships) returns text immutable language sql as $$ select $1.name || ' of ' || $1.flag $$;
create function title(owners) returns text immutable language sql as $$ select $1.name || ', ' || $1.city $$;
create function is_first(ships) returns boolean immutable language sql as $$ select $1.id = 1 $$;
create schema elsewhere;
grant usage on schema elsewhere to anon;
create function elsewhere.hidden_title(ships) returns text immutable language sql as $$ select 'hidden' $$;
create function ships_under(flag text) returns setof ships stable language sql
  as $$ select * from ships where ships.flag = $1 $$;

-- Names that have to be quoted, or encoded, or both.
create table "склад" (id int primary key, "груз" text);
insert into "склад" values (1, 'соль');
create table "Cargo Items" (
  id int primary key, "Unit Price" int, "weight.net" int, "(gross)" int, ":in->out::text" int, "*any*" int, "  wide  " int,
  "kind-of_ware" text, "and_so_on" int, "or_not" int, count int, t int
);
insert into "Cargo Items" values (1, 150, 10, 12, 1, 7, 3, 'bulk', 1, 1, 5, 6), (2, 250, 20, 24, 2, 8, 4, 'box', 2, 2, 5, 6);
create table "tariff$2" (id int primary key, "rate$" int);
insert into "tariff$2" values (1, 100), (2, 200);
create table captains (id int primary key, name text not null);
insert into captains values
  (1, 'Vane, Cora'), (2, 'Holt, Ed'), (3, 'Plain Jo'), (4, 'Says "aye"'), (5, '\'), (6, '/\Tar/\'), (7, 'Seven (7)'),
  (8, '"'), (9, ''), (10, 'Dot.Dot'), (11, 'Star*');

-- To be counted.
create table soundings (id int primary key, depth int not null);
insert into soundings select i, i % 500 from generate_series(1, 3000) as i;
create index soundings_depth on soundings (depth);
create table buoys (id int primary key);
insert into buoys select generate_series(1, 15);
create table empty_slips (id int primary key);
create function buoys_between(first int, last int) returns setof buoys stable language sql
  as $$ select * from buoys where id > first and id <= last $$;
create function guessed_buoys() returns setof buoys stable language plpgsql rows 2000
  as $$ begin return query select * from buoys; end $$;
create view guessed as select * from guessed_buoys();
analyze soundings;
analyze buoys;

-- To be written.
create type cargo_kind as enum ('bulk', 'box');
create table manifests (
  "integer" int primary key, "double" double precision, "varchar" varchar(20), "boolean" boolean, "date" date,
  "money" money, "enum" cargo_kind
);
create table sailors (id int generated by default as identity primary key, name text unique, age int default 18, rank text);
insert into sailors (name, age, rank) values ('Ada', 12, 'cook'), ('Ben', 10, null), ('Cleo', 40, 'mate');
create table flags (code text primary key, name text, place int);
insert into flags values ('NO', 'Norway', 1), ('PT', 'Portugal', 2), ('GR', 'Greece', 3);
create table slips (
  dock text, number int, depth int default 5, note text, primary key (dock, number)
);
insert into slips values ('East', 1, 7, 'deep'), ('East', 2, 4, null);
create table badges (id int primary key);
insert into badges values (1), (2);
create table scraps (a text, b text);
insert into scraps values (null, null), ('1', '0'), ('2', '0');
create table tokens (id int generated by default as identity primary key);
create table parcels (id int primary key, data json, body jsonb);
create table codes ("bit" bit(5), "char" char(5));
insert into codes values ('00000', 'aaaaa');
create table labels (a text, b text generated always as ('made of ' || a) stored);
create domain berth_no as int default 66;
create table berths (id berth_no, name text, other berth_no default 42);
create table voyages (line text, year int, ship text, primary key (line, year)) partition by range (year);
create table voyages_old partition of voyages for values from (1900) to (2000);
create table voyages_new partition of voyages for values from (2000) to (2100);
insert into voyages values ('Coast', 1999, 'Bonito'), ('Coast', 2001, 'Osprey');
create table "Camel Case" ("theId" int primary key, "theName" text);
insert into "Camel Case" values (1, 'one');
create table crews (id int primary key, name text, boss_id int references crews);
insert into crews values (1, 'Deck', null), (2, 'Bow', 1), (3, 'Aft', 1), (4, 'Mast', 2);
create view slips_by_dock as select dock, number, depth, note from slips;
create view named_sailors as select id, name, age from sailors;
alter view named_sailors alter column name set default 'Nemo';

-- Not everything is for everybody.
create table accounts (id int primary key, email text unique, password text);
insert into accounts values (1, 'one@harbour.example', 'x'), (2, 'two@harbour.example', 'y');
revoke all on accounts from anon;
grant select (id, email), insert, update, delete on accounts to anon;
create table wishes (text text);
revoke all on wishes from anon;
grant insert on wishes to anon;

-- What can be done with views depends on their triggers.
create view plain_ships as select id, name from ships;
create view ship_names as select name from ships;
create view flag_counts as select flag, count(*) as ships from ships group by flag;
create function accept_write() returns trigger language plpgsql
  as $$ begin if tg_op = 'DELETE' then return old; end if; return new; end $$;
create view doubled as select distinct id, name from ships;
create view doubled_insert as select distinct id, name from ships;
create view doubled_update as select distinct id, name from ships;
create view doubled_delete as select distinct id, name from ships;
create view doubled_all as select distinct id, name from ships;
create view doubled_names as select distinct name from ships;
create trigger on_insert instead of insert on doubled_insert for each row execute function accept_write();
create trigger on_update instead of update on doubled_update for each row execute function accept_write();
create trigger on_delete instead of delete on doubled_delete for each row execute function accept_write();
create trigger on_all instead of insert or update or delete on doubled_all for each row execute function accept_write();
create trigger on_all instead of insert or update or delete on doubled_names for each row execute function accept_write();
create function one() returns int immutable language sql as $$ select 1 $$;
create function all_ships() returns setof ships stable language sql as $$ select * from ships $$;
create function make_wish() returns void volatile language sql as $$ insert into wishes values ('made') $$;
create function needs(argument int) returns int stable language sql as $$ select argument $$;
create function sink_buoys() returns setof buoys language sql as $$ delete from buoys returning * $$;
create function sink_to_table() returns table (id int) language sql as $$ delete from buoys returning id $$;
create function sink_silently() returns void language sql as $$ delete from buoys $$;
create function one_ship(wanted int) returns setof ships stable language sql as $$ select * from ships where id = wanted $$;

-- How values look, and how they are sent.
create domain hull as integer;
create domain moment as timestamptz;
create function shown(hull) returns json immutable language sql
  as $$ select to_json(coalesce('HN-' || lpad($1::int::text, 4, '0'), 'none')) $$;
create function hull(text) returns hull immutable language sql as $$ select replace($1, 'HN-', '')::int::hull $$;
create function hull(json) returns hull immutable language sql as $$ select hull($1 #>> '{}') $$;
create function shown(moment) returns json immutable language sql
  as $$ select to_json(to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')) $$;
set client_min_messages = error;
create cast (hull as json) with function shown(hull) as implicit;
create cast (text as hull) with function hull(text) as implicit;
create cast (json as hull) with function hull(json) as implicit;
create cast (moment as json) with function shown(moment) as implicit;
reset client_min_messages;
create table hulls (id int primary key, name text, number hull, laid moment);
create table fleets (id int primary key, lead_id int references hulls);
insert into hulls values (1, 'One', 7, '2024-01-02T03:04Z'), (2, 'Two', 1234, null), (3, 'Three', null, null);
insert into fleets values (1, 2), (2, 1);
create view hulls_view as select id, name, number, laid, (number / 2)::hull as half from hulls;

create table tides (t timestamptz primary key);
insert into tides values ('2024-06-01 12:00:00.5Z'), ('2024-06-01 18:30:00Z');
create function varied() returns int language sql
  as $$ select set_config('response.headers', '[{"Vary": "Accept, X-Lang"}]', true); select 1 $$;

-- The keys of a view of two tables are those of both, and may be null.
create view charters as
  select ships.id as ship_id, owners.id as owner_id, ships.name from ships left join owners on owners.id = owner_id;
create trigger on_insert instead of insert on charters for each row execute function accept_write();

-- Checked at once, or at the end.
create table moorings (id int primary key, place int unique deferrable initially immediate);
insert into moorings values (1, 1);
create function moor_twice(at_the_end boolean default false) returns void language plpgsql as $$
  begin
    if at_the_end then set constraints all deferred; end if;
    insert into moorings values (2, 1);
  end $$;

create function all_hulls() returns setof hulls stable language sql as $$ select * from hulls $$;
create materialized view big_ships as select id, name from ships where crew > 10;
create table "odd ""name" ("co""l" int primary key, "a\b" text, "it's" text);
