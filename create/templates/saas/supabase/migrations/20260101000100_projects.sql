-- Projects belong to a team: replace them by the subject of your product.
create table public.projects (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references public.teams on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 80),
  description text not null default '' check (char_length(description) <= 2000),
  status text not null default 'active' check (status in ('active', 'paused', 'done')),
  created_by uuid default auth.uid() references auth.users on delete set null,
  created_at timestamptz not null default now()
);
create index on public.projects (team_id, created_at desc);
create index on public.projects (created_by);

-- The lock lets projects of a team be counted one after the other.
create function private.limit_projects() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  plan public.plans;
begin
  perform from public.teams where id = new.team_id for no key update;
  plan := private.plan_of(new.team_id);
  if (select count(*) from public.projects where team_id = new.team_id) >= plan.max_projects then
    raise exception 'The plan % allows % projects.', plan.name, plan.max_projects;
  end if;
  return new;
end
$$;
revoke execute on function private.limit_projects from public;
create trigger limit_projects before insert on public.projects
  for each row execute function private.limit_projects();

alter table public.projects enable row level security;
revoke all on public.projects from anon, authenticated;
grant select, delete, insert (team_id, name, description, status), update (name, description, status)
  on public.projects to authenticated;

create policy "members see the projects of their teams" on public.projects for select to authenticated
  using (team_id = any (array(select private.my_teams())));
create policy "members add projects" on public.projects for insert to authenticated
  with check (team_id = any (array(select private.my_teams())) and created_by = (select auth.uid()));
create policy "members change the projects of their teams" on public.projects for update to authenticated
  using (team_id = any (array(select private.my_teams())))
  with check (team_id = any (array(select private.my_teams())));
create policy "creators, owners and admins delete projects" on public.projects for delete to authenticated
  using (
    team_id = any (array(select private.my_teams('{owner,admin}')))
    or created_by = (select auth.uid()) and team_id = any (array(select private.my_teams()))
  );
