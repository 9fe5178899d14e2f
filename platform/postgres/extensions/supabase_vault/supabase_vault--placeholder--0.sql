-- The placeholder has a view in place of the table. Objects of a project that depend on the view keep it.
alter view vault.secrets rename to _placeholder_secrets;
