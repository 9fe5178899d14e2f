-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'wrappers is a placeholder: foreign data wrappers are not available',
    hint = 'CREATE FOREIGN DATA WRAPPER fails, because the handler functions do not exist.';
  perform set_config('client_min_messages', minimum, true);
end
$$;
