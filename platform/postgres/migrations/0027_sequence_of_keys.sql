-- The sequence of the keys of pgsodium. Dumps of the rows of older hosted projects set it, also if the project has no keys.
do $$
begin
  if to_regclass('pgsodium.key_key_id_seq') is null
    and exists (select from pg_catalog.pg_namespace where nspname = 'pgsodium' and nspowner = current_user::regrole)
  then
    create sequence pgsodium.key_key_id_seq;
    if to_regrole('postgres') is not null then
      grant all on sequence pgsodium.key_key_id_seq to postgres with grant option;
    end if;
  end if;
end
$$;
