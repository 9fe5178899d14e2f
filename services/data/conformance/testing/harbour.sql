-- The database of the tests over HTTP: a harbour with its observatory, signal box and printing house, in schema public.

-- -----------------------------------------------------
-- Harbour: rows of many types to read, count and write.
-- -----------------------------------------------------
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
create table waybills (id int primary key, data json, body jsonb);
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
create function set_vary() returns int language sql
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

-- ------------------------------------------------------------------------------------------------------------
-- Observatory: one of each kind of relationship. Relations without a comment are related by foreign keys only.
-- ------------------------------------------------------------------------------------------------------------
create schema cellar;

create table astronomers (
  id int primary key,
  given_name text not null,
  surname text not null
);

create table domes (
  id int primary key,
  name text not null,
  warden_id int constraint warden references astronomers
);

-- Each of the two tables points to the other.
alter table astronomers add column home_dome_id int constraint home_dome references domes;

create table telescopes (
  id int primary key,
  name text not null,
  aperture numeric(4, 1),
  dome_id int references domes
);

-- One to one, because the key of the one is the key of the other.
create table manuals (
  telescope_id int primary key references telescopes,
  pages int not null,
  notes jsonb
);

-- One to one, because of the constraint.
create table mounts (
  id int primary key,
  kind text,
  telescope_id int unique references telescopes
);

-- Many to many, between telescopes and astronomers.
create table shifts (
  telescope_id int references telescopes,
  astronomer_id int references astronomers,
  duty text not null,
  primary key (telescope_id, astronomer_id)
);

create table targets (
  id int primary key,
  name text not null,
  kind text
);

-- Many to many, with one more column in the key.
create table sightings (
  id int generated always as identity,
  telescope_id int references telescopes,
  target_id int references targets,
  magnitude numeric(3, 1),
  primary key (id, telescope_id, target_id)
);

-- Two keys to one table.
create table transfers (
  id int primary key,
  label text not null,
  from_dome_id int constraint departure references domes,
  to_dome_id int constraint arrival references domes
);

-- A key to a table, and a junction with it.
create table campaigns (
  id int primary key,
  title text not null,
  main_target_id int constraint main_target references targets
);
create table campaign_targets (
  campaign_id int references campaigns,
  target_id int references targets,
  primary key (campaign_id, target_id)
);

-- Two keys on either side of a junction.
create table papers (id int primary key, title text not null);
create table citations (
  citing_id int constraint citing references papers,
  cited_id int constraint cited references papers,
  primary key (citing_id, cited_id)
);

-- Two keys of one column each, both unique.
create table eyepieces (id int primary key, focal_length int);
create table cases (
  id int primary key,
  upper_id int unique constraint upper_slot references eyepieces,
  lower_id int unique constraint lower_slot references eyepieces
);

-- Rows that point to rows of their own table.
create table keepers (
  id int primary key,
  surname text not null,
  predecessor_id int unique references keepers
);
create function predecessor(keepers) returns setof keepers rows 1 stable language sql
  as 'select * from keepers where id = $1.predecessor_id';
create function successor(keepers) returns setof keepers rows 1 stable language sql
  as 'select * from keepers where predecessor_id = $1.id';

create table crew (
  id int primary key,
  name text not null,
  chief_id int references crew
);
create function subordinates(crew) returns setof crew stable language sql
  as 'select * from crew where chief_id = $1.id';
create function chief(crew) returns setof crew rows 1 stable language sql
  as 'select * from crew where id = $1.chief_id';

create table members (id int primary key, handle text unique);
create table follows (
  follower_id int references members,
  followed_id int references members,
  primary key (follower_id, followed_id)
);
create function followers(members) returns setof members stable language sql
  as 'select m.* from members m join follows f on f.follower_id = m.id where f.followed_id = $1.id';
create function followed(members) returns setof members stable language sql
  as 'select m.* from members m join follows f on f.followed_id = m.id where f.follower_id = $1.id';

-- Related by functions only.
create table visits (id int primary key, visitor text, telescope_no int);
create function telescope(visits) returns setof telescopes rows 1 stable language sql
  as 'select * from telescopes where id = $1.telescope_no';
create function telescope_alone(visits) returns telescopes stable language sql
  as 'select * from telescopes where id = $1.telescope_no';
create function visits(telescopes) returns setof visits stable language sql
  as 'select * from visits where telescope_no = $1.id';

-- A function instead of the key, and one of the same name for another table.
create table deliveries (id int primary key, goods text, dome_id int references domes);
create function domes(deliveries) returns setof domes rows 1 stable language sql
  as 'select * from domes where false';
create table parcels (id int primary key, dome_name text);
create function domes(parcels) returns setof domes stable language sql
  as 'select * from domes where name = $1.dome_name';

-- Partitioned.
create table readings (
  taken_on date not null,
  telescope_id int not null references telescopes,
  photons bigint not null,
  primary key (taken_on, telescope_id)
) partition by range (taken_on);
create table readings_2030 partition of readings for values from ('2030-01-01') to ('2031-01-01');
create table readings_2031 partition of readings for values from ('2031-01-01') to ('2032-01-01');

-- Views.
create view sighting_report as
  select telescopes.name as telescope_name, targets.name as target_name, sightings.magnitude,
    sightings.target_id as seen_target_id, sightings.telescope_id as seen_by_id, telescopes.id as telescope_id
  from sightings
  join telescopes on telescopes.id = sightings.telescope_id
  join targets on targets.id = sightings.target_id;
create view short_report as select target_name, seen_target_id from sighting_report;
create view cellar.inner_names as select id, name, dome_id from telescopes;
create view telescope_names as select * from cellar.inner_names;
create materialized view dome_summary as select id, name from domes;
create view everybody as
  select id, surname, home_dome_id from astronomers union all select id, surname, null from keepers;

-- Junctions that are not exposed, and one that is as a view.
create table cellar.loans (
  astronomer_id int references public.astronomers,
  target_id int references public.targets,
  primary key (astronomer_id, target_id)
);
create table cellar.ratings (
  astronomer_id int references public.astronomers,
  paper_id int references public.papers,
  primary key (astronomer_id, paper_id)
);
create view ratings as select astronomer_id, paper_id from cellar.ratings;

-- Functions that return rows of a table.
create function large_telescopes() returns setof telescopes stable language sql
  as 'select * from telescopes where aperture > 1';
create domain telescope_row as telescopes;
create function telescope_rows() returns setof telescope_row stable language sql
  as 'select telescopes::telescope_row from telescopes where aperture > 1';
create function one_telescope(id int) returns telescopes stable language sql
  as 'select * from telescopes t where t.id = one_telescope.id';
create function all_visits() returns setof visits stable language sql as 'select * from visits';

insert into domes (id, name) values (1, 'North'), (2, 'South'), (3, 'Empty');
insert into astronomers values (1, 'Vera', 'Holm', 1), (2, 'Idris', 'Baum', null), (3, 'Aki', 'Mori', 2);
update domes set warden_id = 2 where id = 1;
insert into telescopes values
  (1, 'Heron', 2.5, 1), (2, 'Wren', 0.4, 1), (3, 'Stork', 4.0, 2), (4, 'Finch', 0.2, null);
insert into manuals values (1, 120, '{"rank": 10}'), (2, 30, '{"rank": 6}'), (3, 75, '{"rank": 8}');
insert into mounts values (1, 'fork', 1), (2, null, 2), (3, 'dobson', null);
insert into shifts values (1, 1, 'lead'), (1, 2, 'optics'), (2, 2, 'lead'), (3, 3, 'lead');
insert into targets values (1, 'Rigel', 'star'), (2, 'Vega', 'star'), (3, 'Ceres', 'planet'), (4, 'Nix', null);
insert into sightings (telescope_id, target_id, magnitude)
  values (1, 1, 0.1), (1, 2, 0.0), (2, 2, 0.5), (3, 3, 7.6), (3, 3, 7.5);
insert into transfers values (1, 'mirror', 1, 2), (2, 'lens', 1, 1), (3, 'clock', 2, null);
insert into campaigns values (1, 'Bright', 1), (2, 'Small', null);
insert into campaign_targets values (1, 1), (1, 2), (2, 3);
insert into papers values (1, 'On dust'), (2, 'On ice'), (3, 'On fire');
insert into citations values (2, 1), (3, 1), (3, 2);
insert into eyepieces values (1, 10), (2, 25);
insert into cases values (1, 1, 2);
insert into keepers values (1, 'Ames', null), (2, 'Boyd', 1), (3, 'Cole', 2);
insert into crew values (1, 'Tove', null), (2, 'Ulf', 1), (3, 'Vik', 1), (4, 'Yrsa', 2);
insert into members values (1, 'comet'), (2, 'nova'), (3, 'pulsar'), (4, 'quasar');
insert into follows values (1, 4), (2, 4), (4, 3);
insert into visits values (1, 'school', 1), (2, 'press', 1), (3, 'club', 3), (4, 'lost', null);
insert into deliveries values (1, 'bolts', 1);
insert into parcels values (1, 'North');
insert into readings values ('2030-05-01', 1, 900), ('2030-06-01', 2, 40), ('2031-05-01', 1, 700);
insert into cellar.loans values (1, 1);
insert into cellar.ratings values (1, 1), (1, 3);
refresh materialized view dome_summary;

-- ----------------------------------------------------------------------------------------------
-- Signal box: functions of all shapes that can be called, and the tables whose rows they return.
-- ----------------------------------------------------------------------------------------------
create table lines (id int primary key, name text not null);
create table signals (
  id int primary key,
  name text not null,
  line_id int references lines,
  height numeric
);
insert into lines values (1, 'coast'), (2, 'hill');
insert into signals values (1, 'A', 1, 5.5), (2, 'B', 1, 6), (3, 'C', 2, 4), (4, 'D', 2, null), (5, 'E', null, 3);
create table journal (id int generated always as identity primary key, entry text, no int);
create table raw_bytes (content bytea);
create sequence call_numbers;

create type aspect as enum ('stop', 'go');
create domain percent as int check (value between 0 and 100);
create type track_point as (x int, y int);
create domain track_point_domain as track_point;
create schema depot;
create type depot.gear as (teeth int);

create function total(a int, b int) returns int immutable language sql as 'select a + b';
create function hail(who text default 'driver') returns text immutable language sql as 'select ''Ahoy '' || who';
create function "setPoint"("newName" text, "ID" int) returns json immutable language sql
  as 'select json_build_object(''newName'', $1, ''ID'', $2)';
create function note_all(items jsonb) returns void language sql
  as 'insert into journal (entry, no) select item ->> ''entry'', (item ->> ''no'')::int from jsonb_array_elements(items) item';
create function product(json) returns int immutable language sql as 'select ($1 ->> ''x'')::int * ($1 ->> ''y'')::int';
create function store_bytes(bytea) returns void language sql as 'insert into raw_bytes values ($1)';
create function shout(text) returns text immutable language sql as 'select upper($1)';
create function root_name(xml) returns text immutable language sql as 'select (xpath(''name(/*)'', $1))[1]::text';
create function whole(jsonb) returns jsonb immutable language sql as 'select $1';
create function named_whole(document json) returns json immutable language sql as 'select document';
create function length_of(int) returns int immutable language sql as 'select $1';
create function next_each(numbers int[]) returns int[] immutable language sql
  as 'select array_agg(n + 1) from unnest(numbers) n';
create function next_any(variadic numbers int[] default '{}') returns int[] immutable language sql
  as 'select coalesce(array_agg(n + 1), ''{}'') from unnest(numbers) n';
create function hail_any(who text, variadic rest int[] default '{}') returns text immutable language sql
  as 'select ''Ahoy '' || who';

create function tall_signals() returns setof signals stable language sql as 'select * from signals where height > 4.5';
create function all_signals() returns setof signals stable language sql as 'select * from signals';
create function signals_below(id int) returns setof signals stable language sql
  as 'select * from signals s where s.id < signals_below.id';
create function one_signal(id int) returns signals stable language sql
  as 'select * from signals s where s.id = one_signal.id';
create function no_signals() returns setof signals stable language sql as 'select * from signals where false';
create function rename_signal(id int, name text) returns setof signals language sql
  as 'update signals s set name = rename_signal.name where s.id = rename_signal.id returning *';

create function a_record() returns record stable language sql as 'select id, name from lines where id = 1';
create function records() returns setof record stable language sql as 'select id, name from lines order by id';

create function stay(line_id int) returns int immutable language sql as 'select 1';
create function stay(line_id int, since date) returns text immutable language sql as 'select ''since '' || since';
create function stay() returns setof int immutable language sql as 'values (7), (8)';
create function vague(value int) returns int immutable language sql as 'select 1';
create function vague(value text) returns int immutable language sql as 'select 2';
create function bodies(json) returns json immutable language sql as 'select $1';
create function bodies(jsonb) returns jsonb immutable language sql as 'select $1';
create function any_body() returns int immutable language sql as 'select 1';
create function any_body(x int, y int) returns int immutable language sql as 'select x + y';
create function any_body(json) returns json immutable language sql as 'select $1';
create function any_body(text) returns text immutable language sql as 'select $1';

create function numbers() returns setof int immutable language sql as 'values (1), (2), (3)';
create function an_array() returns int[] immutable language sql as 'select ''{1,2}''::int[]';
create function an_aspect(value aspect) returns aspect immutable language sql as 'select value';
create function a_percent(value percent) returns percent immutable language sql as 'select value';
create function a_range(low int, high int) returns int4range immutable language sql as 'select int4range(low, high)';
create function a_spot() returns track_point immutable language sql as 'select (3, 4)::track_point';
create function a_spot_domain() returns track_point_domain immutable language sql
  as 'select (3, 4)::track_point::track_point_domain';
create function a_gear() returns depot.gear immutable language sql as 'select row(12)::depot.gear';
create function a_null() returns int immutable language sql as 'select null::int';
create function nothing() returns void language sql as '';
create function one_out(n int, out next int) immutable language sql as 'select n + 1';
create function one_inout(inout n int) immutable language sql as 'select n + 1';
create function many_out(out n int, out document json, out word text) immutable language sql
  as 'select 3, ''{"a":1}''::json, ''four''';
create function many_inout(inout n int, inout word text, inout flag boolean default true) immutable language sql
  as 'select n, word, flag';
create function table_of_one() returns table (a text) immutable language sql as 'values (''A'')';
create function table_of_two() returns table (table_of_two text, b int) immutable language sql as 'values (''A'', 1)';
create function defaults(a int default 1, b int default 2, c int default 3) returns int immutable language sql
  as 'select a + b + c';
create function varied(
  double double precision, "varchar" varchar, "boolean" boolean, day date, kind aspect, list text[],
  number int default 42, document json default '{}', binary_document jsonb default '{}'
) returns json immutable language sql
  as 'select json_build_object(''double'', double, ''varchar'', "varchar", ''boolean'', "boolean", ''day'', day,
    ''kind'', kind, ''list'', list, ''number'', number, ''document'', document, ''binary'', binary_document)';
create function kind_of(document json) returns text immutable language sql as 'select json_typeof(document)';
create function count_call() returns bigint language sql as 'select nextval(''call_numbers'')';
create function padded(letters char(4), bits bit(4)) returns table (letters text, bits text) immutable language sql
  as 'select $1::text, $2::text';
create procedure not_a_function() language sql as '';
create function "true"() returns int immutable language sql as 'select 1';

create function settings_of_request() returns json stable language sql
  as 'select json_build_object(
    ''agent'', current_setting(''request.headers'')::json ->> ''user-agent'',
    ''cookie'', current_setting(''request.cookies'')::json ->> ''session'',
    ''claim'', current_setting(''request.jwt.claims'')::json ->> ''email'',
    ''role'', current_setting(''request.jwt.claims'')::json ->> ''role'',
    ''path'', current_setting(''request.path''), ''method'', current_setting(''request.method''),
    ''current'', current_user, ''setting'', current_setting(''role''), ''isolation'', current_setting(''transaction_isolation''),
    ''readOnly'', current_setting(''transaction_read_only''), ''timeout'', current_setting(''statement_timeout''),
    ''searchPath'', current_setting(''search_path''))';

-- ------------------------------------------------------------------------
-- Printing house: custom media types, made by functions and by aggregates.
-- ------------------------------------------------------------------------
create table sheets (id int primary key, title text, ink jsonb);
insert into sheets values (1, 'Atlas', '{"k": 1}'), (2, 'Bible', null);
create table plates (id int primary key, metal text);
insert into plates values (1, 'zinc');
create view "sheets.xml" as select * from sheets;
create table dice (value int);
insert into dice values (1), (2), (3);
create function sheets_again() returns setof sheets stable language sql as 'select * from sheets';
create function plates_again() returns setof plates stable language sql as 'select * from plates';

create domain "application/vnd.stamp" as bytea;
create domain "text/csv" as text;
create domain "text/html" as text;
create domain "text/plain" as text;
create domain "text/xml" as xml;
create domain "image/png" as bytea;
create domain "text/tab-separated-values" as text;
create domain "print/outfunc" as text;
create domain "application/json" as json;
create domain "application/vnd.pgrst.object" as json;
create domain "*/*" as bytea;

-- A function that is a handler.
create function stamp(id int) returns "application/vnd.stamp" stable language sql
  as 'select convert_to(title, ''UTF8'') || ''\x00ff''::bytea from sheets s where s.id = stamp.id';
create function page() returns "text/html" stable language sql as 'select ''<p>page</p>''';
create function words() returns "text/plain" stable language sql as 'select ''words''';
create function words_twice() returns setof "text/plain" stable language sql as 'values (''words''), (''words'')';
create function tag() returns "text/xml" stable language sql as 'select ''<tag/>''::xml';
create function picture() returns "image/png" stable language sql as 'select ''\x89504e47''::bytea';
create function same_words(text) returns "text/plain" immutable language sql as 'select $1';
create function same_bytes(bytea) returns "application/vnd.stamp" immutable language sql as 'select $1';
create function same_tag(xml) returns "text/xml" immutable language sql as 'select $1';

-- Handlers of one table.
create function stamp_next(state bytea, next sheets) returns "application/vnd.stamp" immutable language sql
  as 'select state || convert_to(next.title, ''UTF8'') || ''\x00''::bytea';
create aggregate stamp_all (sheets) (initcond = '', stype = "application/vnd.stamp", sfunc = stamp_next);

create function csv_next(state text, next sheets) returns "text/csv" immutable language sql
  as 'select state || next.id::text || '';'' || next.title || E''\n''';
create function csv_final(data "text/csv") returns "text/csv" language sql
  as 'select set_config(''response.headers'', ''[{"Content-Disposition": "attachment; filename=\"sheets.csv\""}]'', true);
    select (convert_from(''\xEFBBBF''::bytea, ''UTF8'') || E''id;title\n'' || data)::"text/csv"';
create aggregate csv_all (sheets) (initcond = '', stype = "text/csv", sfunc = csv_next, finalfunc = csv_final);

create function plate_json(state "application/json", next plates) returns "application/json" immutable language sql
  as 'select ''{"overridden": true}''::json';
create aggregate plate_json_all (plates) (initcond = '[]', stype = "application/json", sfunc = plate_json);
create function plate_object(state "application/vnd.pgrst.object", next plates)
  returns "application/vnd.pgrst.object" immutable language sql as 'select ''{"overridden": true}''::json';
create aggregate plate_object_all (plates) (initcond = '[]', stype = "application/vnd.pgrst.object", sfunc = plate_object);

-- Handlers of every table.
create function row_next(state text, next anyelement) returns "print/outfunc" immutable language sql
  as 'select (state || next::text || E''\n'')::"print/outfunc"';
create aggregate row_all (anyelement) (initcond = '', stype = "print/outfunc", sfunc = row_next);
create function tabs_next(state text, next anyelement) returns "text/tab-separated-values" immutable language sql
  as 'select (state || (select string_agg(value, E''\t'') from json_each_text(row_to_json(next))) || E''\n'')::"text/tab-separated-values"';
create aggregate tabs_all (anyelement) (initcond = '', stype = "text/tab-separated-values", sfunc = tabs_next);
create function plate_row(state text, next plates) returns "print/outfunc" immutable language sql
  as 'select ''plates only''';
create aggregate plate_row_all (plates) (initcond = '', stype = "print/outfunc", sfunc = plate_row);

-- Handlers of every type.
create function sheet_xml(state "*/*", next "sheets.xml") returns "*/*" immutable language sql
  as 'select state || convert_to(xmlelement(name sheet, xmlattributes(next.id as id), next.title)::text, ''UTF8'')';
create function sheet_xml_final(data "*/*") returns "*/*" language plpgsql as $f$
declare
  accept text := current_setting('request.headers', true)::json ->> 'accept';
begin
  if accept is null or accept = '*/*' then
    perform set_config('response.headers', '[{"Content-Type": "text/xml"}]', true);
  elsif accept in ('application/xml', 'text/xml') then
    perform set_config('response.headers', json_build_array(json_build_object('Content-Type', accept))::text, true);
  else
    raise sqlstate 'PT415' using message = 'Unsupported Media Type';
  end if;
  return data;
end $f$;
create aggregate sheet_xml_all ("sheets.xml") (initcond = '', stype = "*/*", sfunc = sheet_xml, finalfunc = sheet_xml_final);

create function die_next(state "*/*", next dice) returns "*/*" immutable language sql
  as 'select state || convert_to(next.value::text, ''UTF8'')';
create aggregate die_all (dice) (initcond = '', stype = "*/*", sfunc = die_next);
create function anything() returns "*/*" stable language sql as 'select convert_to(''any'', ''UTF8'')';
