import {
  ButtonLink,
  type LoaderArgs,
  type MetaArgs,
  Page,
  PageHeader,
  type PageProps,
  pageMeta,
  useUser,
} from 'greenroom/app';
import { supabase } from 'greenroom/app/server';
import type { Database } from '../../database.types.ts';
import { PlanCard } from '../features/billing/plan-card.tsx';

export const guard = 'public';

/** Loads the plans. */
export async function loader({ context }: LoaderArgs) {
  const client = await supabase<Database>(context);
  const { data: plans } = await client.from('plans').select().order('price_cents').throwOnError();
  return { plans };
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Pricing', description: 'Start free, and pay as your team grows.', matches });
}

export default function Pricing({ loaderData: { plans } }: PageProps<typeof loader>) {
  const isSignedIn = useUser() !== null;
  return (
    <Page>
      <PageHeader
        title="Pricing"
        description="Start free, and pay as your team grows. Prices are per team."
      />
      <div className="grid gap-4 md:grid-cols-3">
        {plans.map((plan, index) => (
          <PlanCard key={plan.id} plan={plan} level={2} isMarked={index === 1}>
            <ButtonLink
              to={isSignedIn ? '/teams' : '/login?mode=sign-up'}
              variant={index === 1 ? 'primary' : 'secondary'}
            >
              {plan.price_cents === 0 ? 'Start for free' : `Start with ${plan.name}`}
            </ButtonLink>
          </PlanCard>
        ))}
      </div>
    </Page>
  );
}
