-- A signal box: functions of all shapes that can be called, and a few tables that they return rows of.

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
create sequence calls;

create type aspect as enum ('stop', 'go');
create domain percent as int check (value between 0 and 100);
create type spot as (x int, y int);
create domain spot_domain as spot;
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
create function a_spot() returns spot immutable language sql as 'select (3, 4)::spot';
create function a_spot_domain() returns spot_domain immutable language sql
  as 'select (3, 4)::spot::spot_domain';
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
create function count_call() returns bigint language sql as 'select nextval(''calls'')';
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
