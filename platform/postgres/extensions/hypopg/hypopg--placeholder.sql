-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'hypopg is a placeholder: hypothetical indexes are not available',
    hint = 'To add its files: greenroom extensions add postgresql-18-hypopg';
  perform set_config('client_min_messages', minimum, true);
end
$$;
