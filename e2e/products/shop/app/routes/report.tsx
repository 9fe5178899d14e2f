import type { LoaderArgs, PageProps } from 'greenroom/app';
import { currentUser } from 'greenroom/app/server';

export const guard = 'admin';

export function loader({ context }: LoaderArgs) {
  return { reader: currentUser(context)?.email ?? '' };
}

export default function Report({ loaderData }: PageProps<typeof loader>) {
  return <h1>Bericht für {loaderData.reader}</h1>;
}
