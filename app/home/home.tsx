/** A person's own room. Its first column is about the person; what they share with others will stand beside it. */
import type { ReactNode } from 'react';
import { useActionData } from 'react-router';
import type { Claims, SessionSummary } from '../session/claims.ts';
import { displayPhone, personName } from '../session/person-name.ts';
import { useSession } from '../session/session-provider.tsx';
import { Alert } from '../ui/alert.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { assuranceLabel, methodLabel } from './session-words.ts';
import type { SignOutOutcome } from './sign-out.server.ts';

/** See the head of this file. */
export function Home() {
  const { session, user } = useSession();
  // Only without scripts does an outcome come this way; with them it is a toast.
  const outcome = useActionData<SignOutOutcome>();
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-1 gap-8 px-4 py-8 sm:px-6 sm:py-12">
      {outcome && <Alert kind={outcome.kind}>{outcome.message}</Alert>}
      {user && session ? <Room user={user} session={session} /> : <NobodyHere />}
    </div>
  );
}

function Room({ user, session }: { user: Claims; session: SessionSummary }) {
  const name = personName(user);
  return (
    <>
      <header className="flex items-center gap-4">
        <Avatar name={name} size="3xl" />
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tighter">Your room</h1>
          <p className="truncate text-ink-muted">Signed in as {name}</p>
        </div>
      </header>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Account user={user} />
        <Session user={user} session={session} />
      </div>
    </>
  );
}

function Account({ user }: { user: Claims }) {
  return (
    <Card title="Account">
      <Fact label="Email">{user.email || <Nothing />}</Fact>
      <Fact label="Phone">{user.phone ? displayPhone(user.phone) : <Nothing />}</Fact>
      <Fact label="User id">
        <span className="flex items-start gap-1">
          <code className="font-mono text-[0.8125rem] leading-6 break-all">{user.sub}</code>
          <CopyButton text={user.sub} label="Copy user id" />
        </span>
      </Fact>
    </Card>
  );
}

function Session({ user, session }: { user: Claims; session: SessionSummary }) {
  return (
    <Card title="Session">
      <Fact label="Expires">
        <LocalTime seconds={session.expires_at} /> <span className="text-ink-muted">renewed by itself</span>
      </Fact>
      <Fact label="Assurance level">
        <span className="font-medium">{user.aal}</span>{' '}
        <span className="text-ink-muted">{assuranceLabel(user.aal)}</span>
      </Fact>
      <Fact label="Signed in with">
        <ul className="grid gap-1">
          {user.amr.map(({ method, timestamp }) => (
            <li key={`${method} ${timestamp}`}>
              {methodLabel(method)}
              <span className="text-ink-muted">
                , <LocalTime seconds={timestamp} />
              </span>
            </li>
          ))}
        </ul>
      </Fact>
    </Card>
  );
}

function NobodyHere() {
  return (
    <div className="grid justify-items-center gap-4 py-16 text-center">
      <h1 className="text-2xl font-semibold tracking-tighter">You are not signed in</h1>
      <ButtonLink to="/login" look="primary">
        Sign in
      </ButtonLink>
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card">
      <h2 className="border-b border-line px-5 py-3.5 text-sm font-semibold">{title}</h2>
      <dl className="divide-y divide-line px-5 text-sm">{children}</dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 py-3 sm:grid-cols-[9rem_1fr] sm:gap-4">
      <dt className="leading-6 text-ink-muted">{label}</dt>
      <dd className="min-w-0 leading-6 break-words">{children}</dd>
    </div>
  );
}

function Nothing() {
  return <span className="text-ink-muted">Not set</span>;
}
