/** The sign-in page: sign in or sign up, by email or phone. All of it works without scripts. */
import { useLocation } from 'react-router';
import { ConfirmationSent } from '../login/confirmation-sent.tsx';
import { parseLoginView } from '../login/credentials.ts';
import { redirectToGoogle, submitLogin } from '../login/login.server.ts';
import { LoginForm } from '../login/login-form.tsx';
import { sessionContext, siteContext } from '../request/contexts.server.ts';
import { redirectToSavedPath } from '../request/visitor.server.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/login';

/** Nobody signs in twice; whoever already did goes on. */
export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  if (context.get(sessionContext)) return redirectToSavedPath(args);
  const isGoogle = url.searchParams.get('provider') === 'google';
  if (isGoogle && context.get(siteContext).options.googleClientId) return redirectToGoogle(args);
  return null;
}

export function action(args: Route.ActionArgs) {
  return submitLogin(args);
}

export function meta({ location }: Route.MetaArgs) {
  const { mode } = parseLoginView(new URLSearchParams(location.search));
  const title = mode === 'sign-up' ? 'Create your account' : 'Sign in';
  return pageMeta(title, 'Sign in to Greenroom with your email address or phone number.');
}

export default function Login({ actionData, loaderData }: Route.ComponentProps) {
  const view = parseLoginView(new URLSearchParams(useLocation().search));
  const outcome = actionData ?? loaderData ?? undefined;
  return (
    <div className="mx-auto w-full max-w-100 px-4 py-10 sm:my-auto">
      <section className="card p-6 sm:p-8" aria-labelledby="login-title">
        {outcome?.confirmation ? (
          <ConfirmationSent {...outcome.confirmation} />
        ) : (
          <LoginForm view={view} outcome={outcome} />
        )}
      </section>
    </div>
  );
}
