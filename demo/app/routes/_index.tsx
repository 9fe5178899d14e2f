/** The home page of a signed-in user. */
import {
  type ActionArgs,
  type LoaderArgs,
  languageOf,
  type MetaArgs,
  type PageProps,
  pageMeta,
} from 'greenroom/app';
import { changeHome, loadHome } from '../features/home/home.server.ts';
import { Home } from '../features/home/home.tsx';
import { homeTexts } from '../texts/home.ts';

export function loader(args: LoaderArgs) {
  return loadHome(args);
}

export function action(args: ActionArgs) {
  return changeHome(args);
}

export function meta({ matches }: MetaArgs) {
  const { title, metaDescription: description } = homeTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function Index({ loaderData, actionData }: PageProps<typeof loader, typeof action>) {
  return <Home load={loaderData} outcome={actionData} />;
}
