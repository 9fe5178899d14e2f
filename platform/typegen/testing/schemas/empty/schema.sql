-- Nothing that clients can access.
create schema nothing;
