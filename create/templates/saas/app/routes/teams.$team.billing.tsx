import {
  Alert,
  Badge,
  Card,
  DescriptionItem,
  DescriptionList,
  type LoaderArgs,
  LocalTime,
  type MetaArgs,
  type PageProps,
  Progress,
  pageMeta,
} from 'greenroom/app';
import { checkoutUrl } from '../features/billing/checkout.server.ts';
import { type Plan, PlanCard, priceOf } from '../features/billing/plan-card.tsx';
import { requireTeam } from '../features/teams/team.server.ts';

/** Loads the plan of the team, its use, and the plans on offer. */
export async function loader({ context, params }: LoaderArgs) {
  const { client, team } = await requireTeam({ context, params });
  const countOf = (table: 'memberships' | 'projects') =>
    client.from(table).select('*', { count: 'exact', head: true }).eq('team_id', team.id).throwOnError();
  const [plans, subscription, members, projects] = await Promise.all([
    client.from('plans').select().order('price_cents').throwOnError(),
    client
      .from('subscriptions')
      .select('plan_id, status, current_period_end')
      .eq('team_id', team.id)
      .maybeSingle()
      .throwOnError(),
    countOf('memberships'),
    countOf('projects'),
  ]);
  const isOwner = team.role === 'owner';
  return {
    isOwner,
    plans: plans.data.map((plan) => ({
      ...plan,
      checkout: isOwner ? checkoutUrl(team.id, plan.id) : undefined,
    })),
    subscription: subscription.data,
    used: { members: members.count ?? 0, projects: projects.count ?? 0 },
  };
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Billing', description: 'The plan of a team.', isPrivate: true, matches });
}

export default function Billing({
  loaderData: { isOwner, plans, subscription, used },
}: PageProps<typeof loader>) {
  const isCanceled = subscription?.status === 'canceled';
  const currentId = subscription && !isCanceled ? subscription.plan_id : 'free';
  const current = plans.find(({ id }) => id === currentId);
  const canBuy = plans.some(({ checkout }) => checkout !== undefined);
  return (
    <>
      {subscription?.status === 'past_due' && (
        <Alert kind="warning" title="The last payment failed">
          Update the payment method with the link in the mail of the payment provider.
        </Alert>
      )}
      <Card
        title={`Plan ${current?.name}`}
        description={current && `${priceOf(current)} per month`}
        actions={
          <Badge tone={subscription?.status === 'past_due' ? 'warning' : 'primary'}>
            {subscription?.status === 'past_due' ? 'Payment due' : 'Active'}
          </Badge>
        }
      >
        <DescriptionList>
          <DescriptionItem label="Members">
            <Usage label="Members" used={used.members} limit={current?.max_members ?? 0} />
          </DescriptionItem>
          <DescriptionItem label="Projects">
            <Usage label="Projects" used={used.projects} limit={current?.max_projects ?? 0} />
          </DescriptionItem>
          {subscription?.current_period_end && !isCanceled && (
            <DescriptionItem label="Next payment">
              <LocalTime seconds={Date.parse(subscription.current_period_end) / 1000} />
            </DescriptionItem>
          )}
        </DescriptionList>
      </Card>
      <section aria-labelledby="plans" className="grid gap-4">
        <h2 id="plans" className="text-lead font-semibold">
          Plans
        </h2>
        <div className="grid gap-4 md:grid-cols-3">
          {plans.map((plan) => (
            <PlanCard key={plan.id} plan={plan} level={3} isMarked={plan.id === currentId}>
              <PlanAction plan={plan} isCurrent={plan.id === currentId} />
            </PlanCard>
          ))}
        </div>
        <p className="text-small text-ink-muted">
          {isOwner
            ? !canBuy && 'Plans cannot be changed yet: no payment provider is connected.'
            : 'Owners of the team change its plan.'}
        </p>
      </section>
    </>
  );
}

function PlanAction({
  plan,
  isCurrent,
}: {
  plan: Plan & { checkout?: string | undefined };
  isCurrent: boolean;
}) {
  if (isCurrent) return <p className="text-body font-medium text-ink-muted">Current plan</p>;
  if (plan.checkout === undefined || plan.price_cents === 0) return null;
  return (
    <a
      href={plan.checkout}
      className="inline-flex h-9 items-center justify-center rounded-control bg-solid px-3.5 text-body font-medium text-on-solid
        shadow-low hover:bg-solid-hover"
    >
      Choose {plan.name}
    </a>
  );
}

/** A number and its limit, with a bar. */
function Usage({ label, used, limit }: { label: string; used: number; limit: number }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="tabular-nums">
        {used} of {limit}
      </span>
      <span className="w-32">
        <Progress label={label} value={Math.min(used, limit)} max={limit} />
      </span>
    </span>
  );
}
