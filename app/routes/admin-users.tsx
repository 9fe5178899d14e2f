/** The users of the site. Always dark; the server decides which visitors see which content. */
import { AdminsOnly } from '../features/admin/shared/admins-only.tsx';
import { UserPage } from '../features/admin/users/user-page.tsx';
import { changeUsers, loadUsers } from '../features/admin/users/users.server.ts';
import { Users } from '../features/admin/users/users.tsx';
import { payloadLoader } from '../lib/payload/client-payload.ts';
import { adminTexts } from '../texts/admin.ts';
import { languageOf } from '../texts/use-texts.ts';
import { pageMeta } from '../ui/page-meta.ts';
// Imported here so that it loads with the page, since the frame around the page needs it.
import '../shell/sidebar.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import type { Route } from './+types/admin-users';

export const handle = { colourMode: 'dark' };

export function loader(args: Route.LoaderArgs) {
  return loadUsers(args);
}

export const clientLoader = payloadLoader<typeof loader>('routes/admin-users');

export function action(args: Route.ActionArgs) {
  return changeUsers(args);
}

export function meta({ matches }: Route.MetaArgs) {
  const { metaTitle: title, metaDescription: description } = adminTexts[languageOf(matches)];
  return pageMeta({ title, description, isPrivate: true, matches });
}

export default function AdminUsers({ loaderData, actionData }: Route.ComponentProps) {
  const shown = actionData?.kind === 'refused' ? actionData : loaderData;
  const outcome = actionData?.kind === 'refused' ? undefined : actionData;
  return (
    <TooltipProvider>
      {shown.kind === 'users' && <Users users={shown.users} outcome={outcome} />}
      {shown.kind === 'user' && <UserPage key={shown.user.id} user={shown.user} outcome={outcome} />}
      {shown.kind === 'refused' && <AdminsOnly reason={shown.reason} />}
    </TooltipProvider>
  );
}
