/** The target of the sign-out forms. It is a page only for users without scripts; others see a toast. */
import { redirect } from 'react-router';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { actionRanContext } from '../shell/request/contexts.server.ts';
import { signOut } from '../shell/sign-out/sign-out.server.ts';
import { signOutTexts } from '../texts/sign-out.ts';
import { languageOf, useTexts } from '../texts/use-texts.ts';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/sign-out';

/** Redirects home, except after a form was sent. */
export function loader({ context }: Route.LoaderArgs) {
  return context.get(actionRanContext) ? null : redirect('/');
}

export const clientLoader = payloadLoader<typeof loader>('routes/sign-out');

export function action(args: Route.ActionArgs) {
  return signOut(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { home: title, description } = signOutTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function SignOut({ actionData }: Route.ComponentProps) {
  const { home } = useTexts(signOutTexts);
  return (
    <div className="mx-auto grid w-full max-w-lg gap-4 px-4 py-16">
      {actionData && <Alert kind={actionData.kind}>{actionData.message}</Alert>}
      <ButtonLink to="/">{home}</ButtonLink>
    </div>
  );
}
