create extension if not exists pgmq;
select pgmq.create('welcomes');

-- The auth hook: called after the sign-up has been committed.
create function public.enqueue_welcome(event jsonb) returns jsonb
language plpgsql security definer
set search_path = ''
as $$
begin
  perform pgmq.send(
    'welcomes', jsonb_build_object('user_id', event #>> '{user,id}', 'email', event #>> '{user,email}')
  );
  return '{}';
end
$$;
revoke execute on function public.enqueue_welcome from public, anon, authenticated;
grant execute on function public.enqueue_welcome to supabase_auth_admin;

-- The webhook: calls the function when a message arrives in the queue. It is repeated until the function responds with 200.
create trigger call_welcome after insert on pgmq.q_welcomes
for each row execute function supabase_functions.http_request(
  'http://kong:8000/functions/v1/welcome', 'POST', '{"Content-Type": "application/json"}', '{}', '5000'
);

-- Called by the function for each message. One transaction removes the message, sends the mail and notifies clients, so that a
-- repeated webhook sends no second mail.
create function public.welcome(message_id bigint, user_id uuid, email text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if not pgmq.delete('welcomes', message_id) then
    return;
  end if;
  perform greenroom.send_mail(email, 'Welcome', 'Your account is ready.');
  perform realtime.send(jsonb_build_object('user_id', user_id), 'welcomed', 'sign-ups', true);
end
$$;
revoke execute on function public.welcome from public, anon, authenticated;
grant execute on function public.welcome to service_role;

create policy "users follow sign-ups" on realtime.messages for select to authenticated
  using ((select realtime.topic()) = 'sign-ups' and extension = 'broadcast');
