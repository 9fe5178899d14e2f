-- Events of the payment provider, which app/routes/api.payments.ts receives.

-- Ids of the events of the last days: providers send an event again if they got no answer.
create table private.payment_events (
  id text primary key,
  received_at timestamptz not null default now()
);
alter table private.payment_events enable row level security;

-- Returns whether the event changed the subscription. Events that arrive again or late change nothing.
create function private.apply_subscription(
  event_id text,
  occurred_at timestamptz,
  team uuid,
  plan text,
  new_status text,
  customer text,
  period_end timestamptz
) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.payment_events (id) values (event_id) on conflict do nothing;
  if not found or not exists (select from public.teams where id = team) then
    return false;
  end if;
  insert into public.subscriptions as s (team_id, plan_id, status, customer_id, current_period_end, updated_at)
    values (team, plan, new_status, customer, period_end, occurred_at)
    on conflict (team_id) do update
      set plan_id = excluded.plan_id, status = excluded.status, customer_id = excluded.customer_id,
        current_period_end = excluded.current_period_end, updated_at = excluded.updated_at
      where s.updated_at < excluded.updated_at;
  return found;
end
$$;

create function public.apply_subscription(
  event_id text,
  occurred_at timestamptz,
  team uuid,
  plan text,
  new_status text,
  customer text,
  period_end timestamptz default null
) returns boolean
  language sql set search_path = ''
as $$
  select private.apply_subscription(event_id, occurred_at, team, plan, new_status, customer, period_end)
$$;

revoke execute on function private.apply_subscription, public.apply_subscription from public, anon, authenticated;
grant execute on function private.apply_subscription, public.apply_subscription to service_role;

select cron.schedule('remove-payment-events', '45 3 * * *', $$
  delete from private.payment_events where received_at < now() - interval '7 days'
$$);
