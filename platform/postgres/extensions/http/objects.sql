-- Objects of the placeholder of http; the functions that raise an error are created after them.

create domain @extschema@.http_method as text;
create type @extschema@.http_header as (field varchar, value varchar);
create type @extschema@.http_request as (
  method @extschema@.http_method,
  uri varchar,
  headers @extschema@.http_header[],
  content_type varchar,
  content varchar
);
create type @extschema@.http_response as (
  status int,
  content_type varchar,
  headers @extschema@.http_header[],
  content varchar
);
