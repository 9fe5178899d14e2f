-- Partitioned tables and inheritance: clients see the parts, too.
create table event (id bigint not null, day date not null, kind text not null, primary key (id, day)) partition by range (day);
create table event_2025 partition of event for values from ('2025-01-01') to ('2026-01-01');
create table event_later partition of event default partition by range (day);
create table event_2027 partition of event_later for values from ('2027-01-01') to ('2028-01-01');
create table vehicle (id int primary key, wheels int not null default 4);
create table truck (load int) inherits (vehicle);
create unlogged table counter (name text primary key, value bigint not null default 0);
create table note (id int primary key, event bigint, day date, foreign key (event, day) references event);
