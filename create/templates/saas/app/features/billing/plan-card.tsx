import { Icon } from 'greenroom/app';
import type { ReactNode } from 'react';

/** A row of the table `plans`. */
export interface Plan {
  id: string;
  name: string;
  price_cents: number;
  max_members: number;
  max_projects: number;
}

const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 });
const COUNT = new Intl.NumberFormat('en');

/** Returns the price of a month, e.g. `€19`. */
export function priceOf({ price_cents }: Plan): string {
  return PRICE.format(price_cents / 100);
}

/** A plan with its price and limits. `children` is the action; `level` is that of its heading. */
export function PlanCard(props: { plan: Plan; level: 2 | 3; isMarked: boolean; children: ReactNode }) {
  const { plan, level, isMarked, children } = props;
  const Title = `h${level}` as const;
  const rows = [
    `${COUNT.format(plan.max_members)} members`,
    `${COUNT.format(plan.max_projects)} projects`,
    plan.price_cents === 0 ? 'Free for as long as you like' : 'Cancel at the end of any month',
  ];
  return (
    <section
      aria-label={plan.name}
      className={`card flex flex-col gap-5 p-6 ${isMarked ? 'ring-2 ring-solid' : ''}`}
    >
      <div>
        <Title className="text-body font-semibold">{plan.name}</Title>
        <p className="mt-2 flex items-baseline gap-1.5">
          <span className="text-display font-semibold tabular-nums">{priceOf(plan)}</span>
          <span className="text-small text-ink-muted">per month</span>
        </p>
      </div>
      <ul className="grid grow content-start gap-2 text-body">
        {rows.map((row) => (
          <li key={row} className="flex items-start gap-2">
            <Icon name="check" className="mt-1 size-4 text-primary-ink" />
            {row}
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
