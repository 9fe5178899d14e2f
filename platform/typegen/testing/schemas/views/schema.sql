-- Views that can and cannot be updated, with relationships of their tables, and a materialized view.
create table owner (id int primary key, name text not null);
create table pet (id int primary key, name text not null, owner int not null references owner, is_hidden boolean not null default false);
create view visible_pet with (security_invoker = on) as
  select id, name, owner, name || '!' as shout from pet where not is_hidden;
create view owner_count as select owner, count(*) as pets from pet group by owner;
create materialized view pet_name as select distinct name from pet;
create view "of-the-first-view" as select id, owner from visible_pet;
