-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'http is a placeholder: HTTP requests are not sent',
    hint = 'Its functions raise an error when they are called. To add its files: greenroom extensions add postgresql-18-http';
  perform set_config('client_min_messages', minimum, true);
end
$$;

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

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'http(request @extschema@.http_request) returns @extschema@.http_response',
    'http_get(uri varchar) returns @extschema@.http_response',
    'http_get(uri varchar, data jsonb) returns @extschema@.http_response',
    'http_post(uri varchar, content varchar, content_type varchar) returns @extschema@.http_response',
    'http_post(uri varchar, data jsonb) returns @extschema@.http_response',
    'http_put(uri varchar, content varchar, content_type varchar) returns @extschema@.http_response',
    'http_patch(uri varchar, content varchar, content_type varchar) returns @extschema@.http_response',
    'http_delete(uri varchar) returns @extschema@.http_response',
    'http_head(uri varchar) returns @extschema@.http_response',
    'http_header(field varchar, value varchar) returns @extschema@.http_header',
    'http_set_curlopt(curlopt varchar, value varchar) returns boolean',
    'http_reset_curlopt() returns boolean',
    'urlencode(string varchar) returns text'
  ]
  loop
    execute format(
      $create$
        create function %s language plpgsql as $function$
        begin
          raise exception using errcode = 'feature_not_supported', message = %L, hint = %L;
        end
        $function$
      $create$,
      signature,
      format('%s is not available', split_part(signature, '(', 1)),
      'The extension http is a placeholder. Add its files: greenroom extensions add postgresql-18-http'
    );
  end loop;
end
$script$;
