/** The sign-in page: sign in or sign up, by email or phone. All of it works without scripts. */
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { redirectToGoogle, submitLogin } from '../login/login.server.ts';
import { LoginForm } from '../login/login-form.tsx';
import { LoginPage } from '../login/login-page.tsx';
import { parseLoginView } from '../login/login-view.ts';
import { payloadLoader } from '../payload/client-payload.ts';
import { sessionContext, siteContext } from '../request/contexts.server.ts';
import { redirectToSavedPath } from '../request/visitor.server.ts';
import { loginTexts } from '../texts/login.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/login';

const ConfirmationSent = lazy(() => import('../login/confirmation-sent.tsx'));

/** Nobody signs in twice; whoever already did goes on. */
export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  if (context.get(sessionContext)) return redirectToSavedPath(args);
  const isGoogle = url.searchParams.get('provider') === 'google';
  if (isGoogle && context.get(siteContext).options.googleClientId) return redirectToGoogle(args);
  return null;
}

export const clientLoader = payloadLoader<typeof loader>('routes/login');

export function action(args: Route.ActionArgs) {
  return submitLogin(args);
}

/** The page fills the screen itself, brand and settings included. */
export const handle = { isAlone: true };

export function meta({ location, matches }: Route.MetaArgs) {
  const { mode } = parseLoginView(new URLSearchParams(location.search));
  const texts = loginTexts[languageOf(matches)];
  const { metaTitle: title } = mode === 'sign-up' ? texts.signUp : texts.signIn;
  return pageMeta({ title, description: texts.metaDescription });
}

export default function Login({ actionData, loaderData }: Route.ComponentProps) {
  const view = parseLoginView(new URLSearchParams(useLocation().search));
  const outcome = actionData ?? loaderData ?? undefined;
  return (
    <LoginPage>
      {outcome?.confirmation ? (
        <Suspense>
          <ConfirmationSent {...outcome.confirmation} />
        </Suspense>
      ) : (
        <LoginForm view={view} outcome={outcome} />
      )}
    </LoginPage>
  );
}
