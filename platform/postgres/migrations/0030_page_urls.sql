-- URLs of pages for mails of the project.

-- Without a slash at its end. Written at each start of a server, like the other settings.
alter table greenroom.project_mail_settings add column app_url text not null default 'http://localhost';

create function greenroom.page_url(path text) returns text
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A path that begins with two slashes would lead to another host in some programs.
  if path is null or path !~ '^/([^/\\]|$)' or path ~ '[\x01-\x20\x7f]' then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = 'greenroom.page_url: path must begin with one slash and contain no spaces, e.g. /account';
  end if;
  return (select app_url from greenroom.project_mail_settings) || path;
end
$$;
comment on function greenroom.page_url is 'Returns the public URL of a page, for mails.';
revoke execute on function greenroom.page_url from public;

do $do$
declare
  grantee text;
begin
  foreach grantee in array array['postgres', 'service_role']
  loop
    continue when to_regrole(grantee) is null;
    execute format('grant execute on function greenroom.page_url to %I', grantee);
  end loop;
end
$do$;
