/** The home page of a signed-in user. */

import { changeHome, loadHome } from '../features/home/home.server.ts';
import { Home } from '../features/home/home.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { homeTexts } from '../texts/home.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import type { Route } from './+types/index';

export function loader(args: Route.LoaderArgs) {
  return loadHome(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/index');

export function action(args: Route.ActionArgs) {
  return changeHome(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { title, metaDescription: description } = homeTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Index({ loaderData, actionData }: Route.ComponentProps) {
  return <Home load={loaderData} outcome={actionData} />;
}
