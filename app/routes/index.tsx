/** The home page of a project without a product, for all visitors. */
import { loadStart } from '../features/start/start.server.ts';
import { StartPage } from '../features/start/start-page.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { refused } from '../session/page-errors.ts';
import { startTexts } from '../texts/start.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import type { Route } from './+types/index';

export const guard = 'public';

export function loader(args: Route.LoaderArgs) {
  return loadStart(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/index');

export function action() {
  throw refused({ status: 405, code: 'methodNotAllowed', value: 'POST' });
}

export function meta({ matches }: Route.MetaArgs) {
  const { title, description } = startTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Index({ loaderData }: Route.ComponentProps) {
  return <StartPage load={loaderData} />;
}
