insert into public.rooms (name) values ('lobby');
