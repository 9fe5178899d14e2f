-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pg_tle is a placeholder: extensions cannot be installed from SQL',
    hint = 'Add their files instead: greenroom extensions add <folder>';
  perform set_config('client_min_messages', minimum, true);
end
$$;

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'pgtle.install_extension(name text, version text, description text, ext text, requires text[] default null) returns boolean',
    'pgtle.install_update_path(name text, fromvers text, tovers text, ext text) returns boolean',
    'pgtle.set_default_version(name text, version text) returns boolean',
    'pgtle.uninstall_extension(extname text) returns boolean',
    'pgtle.uninstall_extension_if_exists(extname text) returns boolean'
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
      'The extension pg_tle is a placeholder. Add the files of an extension instead: greenroom extensions add <folder>'
    );
  end loop;
end
$script$;
