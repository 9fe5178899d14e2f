-- The view that replaces that of Vault's placeholder (0014) for objects of a project: postgres had all rights on the placeholder,
-- and rows of a table can be changed through such a view.
do $$
begin
  if to_regclass('vault._placeholder_secrets') is not null and to_regrole('postgres') is not null then
    revoke insert, update, delete, truncate, trigger on vault._placeholder_secrets from postgres cascade;
  end if;
end
$$;
