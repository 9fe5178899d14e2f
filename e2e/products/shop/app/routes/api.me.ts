import type { LoaderArgs } from 'greenroom/app';
import { requireUser } from 'greenroom/app/server';

export const guard = 'signedIn';

export function loader({ context }: LoaderArgs) {
  return Response.json({ email: requireUser(context).email });
}
