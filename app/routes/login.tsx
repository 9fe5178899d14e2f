/** The sign-in page: sign in or sign up, by email or phone. All of it works without scripts. */
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { type LoginOutcome, redirectToGoogle, submitLogin } from '../login/login.server.ts';
import { LoginForm } from '../login/login-form.tsx';
import { LoginPage } from '../login/login-page.tsx';
import { parseLoginView } from '../login/login-view.ts';
import { type OneTimeOutcome, submitOneTime } from '../login/one-time.server.ts';
import { parseOneTimeMode } from '../login/one-time-view.ts';
import { payloadLoader } from '../payload/client-payload.ts';
import { sessionContext, siteContext } from '../request/contexts.server.ts';
import { redirectToSavedPath } from '../request/visitor.server.ts';
import { loginTexts } from '../texts/login.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/login';

const OneTimeForm = lazy(() => import('../login/one-time-form.tsx'));
const ConfirmationSent = lazy(() => import('../login/confirmation-sent.tsx'));

/** Nobody signs in twice; whoever already did goes on. */
export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  const session = context.get(sessionContext);
  const mayStay = parseOneTimeMode(url.searchParams) === 'factor' && session?.claims.aal === 'aal1';
  if (session && !mayStay) return redirectToSavedPath(args);
  const isGoogle = url.searchParams.get('provider') === 'google';
  if (isGoogle && context.get(siteContext).options.googleClientId) return redirectToGoogle(args);
  return null;
}

export const clientLoader = payloadLoader<typeof loader>('routes/login');

export async function action(args: Route.ActionArgs) {
  const mode = parseOneTimeMode(args.url.searchParams);
  return mode === undefined ? submitLogin(args) : submitOneTime(args, mode);
}

/** The page fills the screen itself, brand and settings included. */
export const handle = { isAlone: true };

export function meta({ location, matches }: Route.MetaArgs) {
  const search = new URLSearchParams(location.search);
  const texts = loginTexts[languageOf(matches)];
  const oneTime = parseOneTimeMode(search);
  const { metaTitle } = parseLoginView(search).mode === 'sign-up' ? texts.signUp : texts.signIn;
  const title = oneTime === undefined ? metaTitle : texts.oneTimeTitles[oneTime];
  return pageMeta({ title, description: texts.metaDescription });
}

export default function Login({ actionData, loaderData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  const view = parseLoginView(search);
  const mode = parseOneTimeMode(search);
  if (mode !== undefined) {
    const outcome = (actionData ?? undefined) as OneTimeOutcome | undefined;
    return (
      <LoginPage>
        <Suspense>
          <OneTimeForm mode={mode} by={view.by} outcome={outcome} />
        </Suspense>
      </LoginPage>
    );
  }
  const outcome = (actionData ?? loaderData ?? undefined) as LoginOutcome | undefined;
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
