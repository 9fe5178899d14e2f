-- Whether the files of the project have still to be uploaded to its buckets. Like seeds, only to a new database: in one,
-- the seeds are still due when the migrations of the platform run.
alter table greenroom.project add column are_objects_due boolean not null default false;
update greenroom.project set are_objects_due = are_seeds_due;
comment on table greenroom.project is 'Whether seeds and objects of the project have still to be added.';
