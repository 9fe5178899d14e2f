-- Functions whose only argument is a row: computed fields, and computed relationships of each cardinality.
create table person (id int primary key, first_name text not null, last_name text not null, boss int);
create table letter (id int primary key, sender int references person, body text);
create view signed_letter as select id, body, sender from letter;
create function full_name(person) returns text language sql stable as $$ select $1.first_name || ' ' || $1.last_name $$;
create function initials(person) returns char(2) language sql immutable as 'select left($1.first_name, 1) || left($1.last_name, 1)';
create function excerpt(signed_letter) returns text language sql stable as 'select left($1.body, 10)';
create function boss_of(person) returns setof person rows 1 language sql stable as 'select * from person where id = $1.boss';
create function reports(person) returns setof person language sql stable as 'select * from person where boss = $1.id';
create function last_letter(person) returns letter language sql stable
  as 'select * from letter where sender = $1.id order by id desc limit 1';
