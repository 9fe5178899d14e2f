/** The account page: sign-in methods, sessions and stored data. */
import { useLocation } from 'react-router';
import { changeAccount, loadAccount } from '../features/account/account.server.ts';
import { AccountPage } from '../features/account/account-page.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { accountTexts } from '../texts/account.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import type { Route } from './+types/account';

export function loader(args: Route.LoaderArgs) {
  return loadAccount(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/account');

export function action(args: Route.ActionArgs) {
  return changeAccount(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { title, metaDescription: description } = accountTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const search = new URLSearchParams(useLocation().search);
  return (
    <AccountPage
      account={loaderData}
      outcome={actionData}
      isRecovered={search.has('recovered')}
      hasExportFailed={search.get('export') === 'failed'}
    />
  );
}
