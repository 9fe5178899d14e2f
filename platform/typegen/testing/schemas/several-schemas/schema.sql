-- The same names in several schemas, and references, types and functions across them.
create schema shop;
create schema "back office";
create type public.size as enum ('s', 'm');
create type shop.size as enum ('small', 'large');
create table public.item (id int primary key, size public.size);
create table shop.item (id int primary key, size shop.size not null, original int references public.item);
create table "back office".stock (item int primary key references shop.item, count int not null);
create view shop.stocked as select item.id, stock.count from shop.item join "back office".stock on stock.item = item.id;
create function shop.item_of(id int) returns setof public.item language sql stable
  as 'select * from public.item where item.id = item_of.id';
create function public.size_of(shop.item) returns shop.size language sql immutable as 'select $1.size';
