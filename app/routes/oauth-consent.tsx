/**
 * The consent page: an OAuth application requests access to the user's identity, and the user allows or
 * denies it.
 */
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { decideConsent, loadConsent } from '../features/consent/consent.server.ts';
import { ConsentPage } from '../features/consent/consent-page.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { consentTexts } from '../texts/consent.ts';
import { languageOf, siteNameOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/oauth-consent';

export function loader(args: Route.LoaderArgs) {
  return loadConsent(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/oauth-consent');

export function action(args: Route.ActionArgs) {
  return decideConsent(args);
}

/** A request cannot be loaded again after the user's decision. */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formMethod === undefined && defaultShouldRevalidate;
}

/** The page fills the screen, without navigation. */
export const handle = { isFullScreen: true };

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription } = consentTexts[languageOf(matches)];
  const description = metaDescription(siteNameOf(matches));
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function OauthConsent({ loaderData, actionData }: Route.ComponentProps) {
  return <ConsentPage consent={actionData ?? loaderData ?? { kind: 'gone' }} />;
}
