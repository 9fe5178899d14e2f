-- The placeholder has a view in place of the table of runs. Objects of a project that depend on the view keep it. The functions
-- of the placeholder are replaced.
alter view cron.job_run_details rename to _placeholder_run_details;
