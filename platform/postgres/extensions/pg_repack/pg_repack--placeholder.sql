-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pg_repack is a placeholder: tables are not repacked',
    hint = 'To add its files: greenroom extensions add postgresql-18-repack';
  perform set_config('client_min_messages', minimum, true);
end
$$;
