/**
 * The callback page for links in emails and redirects of OAuth providers. It renders only if an error
 * occurred, or if the browser has to read the fragment.
 */
import { confirm, openFragmentSession } from '../features/confirm/confirm.server.ts';
import { ConfirmResult } from '../features/confirm/confirm-result.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { confirmTexts } from '../texts/confirm.ts';
import { languageOf, siteNameOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/confirm';

export function loader(args: Route.LoaderArgs) {
  return confirm(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/confirm');

export function action(args: Route.ActionArgs) {
  return openFragmentSession(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription } = confirmTexts[languageOf(matches)];
  const description = metaDescription(siteNameOf(matches));
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Confirm({ actionData, loaderData }: Route.ComponentProps) {
  return <ConfirmResult result={actionData ?? loaderData} />;
}
