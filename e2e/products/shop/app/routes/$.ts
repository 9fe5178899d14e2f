/** All other paths. */
import type { ActionArgs, LoaderArgs } from 'greenroom/app';

export function loader({ params }: LoaderArgs) {
  return Response.json({ path: params['*'] });
}

export async function action({ request }: ActionArgs) {
  return Response.json({ body: await request.text() });
}
