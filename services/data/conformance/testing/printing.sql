-- A printing house: media types of its own, made by functions and by aggregates.

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
