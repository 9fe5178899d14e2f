-- The placeholder has a view in place of the table. Objects of a project that depend on the view keep it. The functions of the
-- placeholder are replaced.
alter view net._http_response rename to _placeholder_response;
