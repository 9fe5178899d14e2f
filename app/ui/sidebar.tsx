/** The app's navigation for people who are signed in: beside the page, or above it where the screen is narrow. */
import type { ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router';
import { isAdmin } from '../admin/access.ts';
import type { Claims } from '../session/claims.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/use-texts.ts';
import { BrandLink } from './brand.tsx';
import { Icon, type IconName } from './icon.tsx';
import { UserMenu } from './user-menu.tsx';

/** A place to go. */
interface Place {
  to: string;
  label: string;
  icon: IconName;
}

/** `tools` stand beside the account's button. */
export default function Sidebar({ user, tools }: { user: Claims; tools: ReactNode }) {
  return (
    <header
      className="sticky top-0 z-(--layer-header) border-b border-line bg-canvas/90 backdrop-blur-md lg:fixed lg:inset-y-0
        lg:start-0 lg:flex lg:w-62 lg:flex-col lg:border-e lg:border-b-0 lg:bg-sunken lg:pb-14"
    >
      <div className="flex h-14 shrink-0 items-center justify-between gap-2 px-4 sm:px-6 lg:px-4">
        <BrandLink />
        <div className="flex items-center gap-1">
          {tools}
          <UserMenu user={user} />
        </div>
      </div>
      <Navigation user={user} />
    </header>
  );
}

function Navigation({ user }: { user: Claims }) {
  const texts = useTexts(commonTexts);
  const isInAdmin = useLocation().pathname.startsWith('/admin');
  const room: Place = { to: '/', label: texts.room, icon: 'monitor' };
  if (!isAdmin(user)) return <Places label={texts.mainNavigation} places={[room]} />;
  if (!isInAdmin) {
    const admin: Place = { to: '/admin', label: texts.admin, icon: 'shield' };
    return <Places label={texts.mainNavigation} places={[room, admin]} />;
  }
  const sections: Place[] = [
    { to: '/admin', label: texts.adminSections.users, icon: 'users' },
    { to: '/admin/ui', label: texts.adminSections.components, icon: 'copy' },
  ];
  return <Places label={texts.admin} places={sections} before={{ ...room, label: texts.yourRoom }} />;
}

function Places(props: { label: string; places: readonly Place[]; before?: Place }) {
  const { label, places, before } = props;
  // One place alone is where the person is; on a narrow screen that needs no row of its own.
  const isOne = places.length === 1 && !before;
  return (
    <nav
      aria-label={label}
      className={`scroll-row px-2 pb-2 sm:px-4 lg:flex-1 lg:px-2 lg:pt-1 ${isOne ? 'max-lg:hidden' : ''}`}
    >
      <ul className="flex gap-1 lg:flex-col lg:gap-0.5">
        {before && (
          <li className="flex items-center border-line max-lg:border-e max-lg:pe-1 lg:mb-2 lg:border-b lg:pb-2">
            <PlaceLink place={before} />
          </li>
        )}
        {before && (
          <li
            aria-hidden="true"
            className="hidden px-2.5 pb-1 text-caption font-medium text-ink-muted lg:block"
          >
            {label}
          </li>
        )}
        {places.map((place) => (
          <li key={place.to}>
            <PlaceLink place={place} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PlaceLink({ place: { to, label, icon } }: { place: Place }) {
  return (
    <NavLink
      to={to}
      end
      className="flex h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-body font-medium whitespace-nowrap
        text-ink-muted transition-colors -outline-offset-2! hover:bg-hover hover:text-ink aria-[current]:bg-hover
        aria-[current]:text-ink lg:h-8"
    >
      <Icon name={icon} className="size-4" />
      {label}
    </NavLink>
  );
}
