-- An observatory: one of each kind of relationship. Relations without a remark are related by foreign keys only.

create schema vault;

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
create view vault.inner_names as select id, name, dome_id from telescopes;
create view telescope_names as select * from vault.inner_names;
create materialized view dome_summary as select id, name from domes;
create view everybody as
  select id, surname, home_dome_id from astronomers union all select id, surname, null from keepers;

-- Junctions that are not exposed, and one that is as a view.
create table vault.loans (
  astronomer_id int references public.astronomers,
  target_id int references public.targets,
  primary key (astronomer_id, target_id)
);
create table vault.ratings (
  astronomer_id int references public.astronomers,
  paper_id int references public.papers,
  primary key (astronomer_id, paper_id)
);
create view ratings as select astronomer_id, paper_id from vault.ratings;

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
insert into vault.loans values (1, 1);
insert into vault.ratings values (1, 1), (1, 3);
refresh materialized view dome_summary;
