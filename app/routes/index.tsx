/** The home page: a signed-in person's own room. */
import { Home } from '../home/home.tsx';
import { homeTexts } from '../texts/home.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Loaded with the page, since the frame around it will ask for it.
import '../ui/sidebar.tsx';
import type { Route } from './+types/index';

export function meta({ matches }: Route.MetaArgs) {
  const { title, metaDescription: description } = homeTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true });
}

export default function Index() {
  return <Home />;
}
