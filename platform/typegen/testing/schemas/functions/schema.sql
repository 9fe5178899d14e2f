-- Arguments with defaults, overloads, every kind of result, and functions that clients cannot call.
create table task (id int primary key, title text not null, is_done boolean not null default false);
create type mood as enum ('fine', 'tired');
create function add(a int, b int default 1) returns int language sql as 'select a + b';
create function greet() returns text language sql as $$ select 'hello' $$;
create function greet(name text) returns text language sql as 'select name';
create function greet(name text, times int) returns text[] language sql as 'select array_fill(name, array[times])';
create function all_tasks() returns setof task language sql stable as 'select * from task';
create function one_task(task_id int) returns task language sql stable as 'select * from task where id = task_id';
create function at_most_one_task() returns setof task rows 1 language sql stable as 'select * from task limit 1';
create function summary(of_done boolean) returns table (title text, "total count" bigint, mood mood)
  language sql stable as $$ select title, count(*), 'fine'::mood from task where is_done = of_done group by title $$;
create function moods() returns setof mood language sql as 'select unnest(enum_range(null::mood))';
create function divide(a int, b int, out quotient int, out remainder int) language sql as 'select a / b, a % b';
create function twice(inout value int) language sql as 'select value * 2';
create function nothing() returns void language sql as '';
create function join_all(variadic parts text[]) returns text language sql as $$ select array_to_string(parts, ',') $$;
create function from_json(json) returns json language sql as 'select $1';
create function unnamed(int, int) returns int language sql as 'select $1 + $2';
create function any_record() returns setof record language sql as 'select 1';
create function on_change() returns trigger language plpgsql as 'begin return new; end';
create procedure archive(before date) language sql as '';
create aggregate product (int) (sfunc = int4mul, stype = int, initcond = '1');
