import {
  Avatar,
  Badge,
  ButtonLink,
  Icon,
  type LoaderArgs,
  type MetaArgs,
  Page,
  pageMeta,
  TextLink,
} from 'greenroom/app';
import { currentUser } from 'greenroom/app/server';
import { redirect } from 'react-router';

/** Visitors need no session. */
export const guard = 'public';

const FEATURES = [
  {
    icon: 'lucide:folder-kanban',
    title: 'Every project in one list',
    text: 'Name, state and description, visible to the whole team.',
  },
  {
    icon: 'lucide:users',
    title: 'Teams with roles',
    text: 'Owners, admins and members. Invite colleagues by mail, and change roles at any time.',
  },
  {
    icon: 'lucide:shield-check',
    title: 'Private by default',
    text: 'Policies of the database keep teams apart. Passkeys and second factors protect accounts.',
  },
] as const;

/** Signed-in users start with their teams. */
export function loader({ context }: LoaderArgs) {
  return currentUser(context) === undefined ? null : redirect('/teams');
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({
    title: 'Projects for teams',
    description: 'Plan and share the projects of your team.',
    matches,
  });
}

/** The page for visitors: replace its words and the picture by those of your product. */
export default function Landing() {
  return (
    <Page>
      <section className="grid items-center gap-10 py-6 lg:grid-cols-2 lg:py-14">
        <div className="grid gap-5">
          <h1 className="text-display font-semibold text-balance">
            The projects of your team, in one calm place
          </h1>
          <p className="max-w-prose text-lead text-ink-muted">
            Plan projects, invite your colleagues, and see at a glance which are active, paused and done.
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <ButtonLink to="/login?mode=sign-up" variant="primary" size="large">
              Start for free
            </ButtonLink>
            <ButtonLink to="/pricing" size="large">
              See the prices
            </ButtonLink>
          </div>
          <p className="text-small text-ink-muted">
            You have an account? <TextLink to="/login">Sign in</TextLink>
          </p>
        </div>
        <Preview />
      </section>
      <section aria-label="Features" className="grid gap-4 md:grid-cols-3">
        {FEATURES.map(({ icon, title, text }) => (
          <div key={title} className="card grid content-start gap-2 p-6">
            <Icon name={icon} className="mb-1 size-5 text-primary-ink" />
            <h2 className="text-body font-semibold">{title}</h2>
            <p className="text-body text-ink-muted">{text}</p>
          </div>
        ))}
      </section>
    </Page>
  );
}

const EXAMPLES = [
  { name: 'Website', text: 'Prices, blog and imprint', state: 'Active', tone: 'primary' },
  { name: 'Mobile app', text: 'Offline first', state: 'Paused', tone: 'warning' },
  { name: 'Launch', text: 'Everything for the day', state: 'Done', tone: 'neutral' },
] as const;

/** A picture of the product, which screen readers skip. */
function Preview() {
  return (
    <div aria-hidden="true" className="card overflow-hidden shadow-mid">
      <div className="flex items-center gap-3 border-b border-line bg-sunken px-5 py-4">
        <Avatar name="Acme" />
        <span className="font-semibold">Acme</span>
        <span className="ms-auto text-small text-ink-muted">3 projects</span>
      </div>
      <ul className="divide-y divide-line">
        {EXAMPLES.map(({ name, text, state, tone }) => (
          <li key={name} className="flex items-center gap-4 px-5 py-4">
            <div className="min-w-0 grow">
              <p className="font-medium">{name}</p>
              <p className="truncate text-small text-ink-muted">{text}</p>
            </div>
            <Badge tone={tone}>{state}</Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}
