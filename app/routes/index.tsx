/** The home page: a signed-in person's own room. */
import { Home } from '../home/home.tsx';
import { signOut } from '../home/sign-out.server.ts';
import { pageMeta } from '../ui/page-meta.ts';
import type { Route } from './+types/index';

export function action(args: Route.ActionArgs) {
  return signOut(args);
}

export function meta() {
  return pageMeta('Your room', 'Who you are signed in as, and your session.');
}

export default function Index() {
  return <Home />;
}
