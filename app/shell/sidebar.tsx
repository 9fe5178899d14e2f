/** The app's navigation for signed-in users: next to the page, or above it if the screen is narrow. */
import { NavLink, useLocation } from 'react-router';
import { usePage } from '../lib/page/page-context.tsx';
import { isAdmin } from '../session/access.ts';
import type { Claims } from '../session/claims.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { pageNameTexts } from '../texts/page-names.ts';
import { useLanguage, useTexts } from '../texts/use-texts.ts';
import { BrandLink } from '../ui/brand.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { ADMIN_PAGES, navigationPaths } from './navigation.ts';
import { PaletteTrigger } from './palette/palette-trigger.tsx';
import { isFor } from './scope.ts';
import { registerSidebar } from './sidebar-module.ts';
import { isShown, sitePages } from './site-navigation.ts';
import { UserMenu } from './user-menu.tsx';

/** A link of the navigation. */
interface PageLink {
  to: string;
  label: string;
  icon: IconName;
  /** Whether pages below it belong to it. */
  hasPages?: boolean;
}

/** Shows brand, palette button, account menu and links. */
export default function Sidebar({ user }: { user: Claims }) {
  return (
    <header
      className="sticky top-0 z-(--layer-header) border-b border-line bg-canvas/90 backdrop-blur-md lg:fixed lg:inset-y-0
        lg:start-0 lg:flex lg:w-62 lg:flex-col lg:border-e lg:border-b-0 lg:bg-sunken lg:pb-14"
    >
      <div
        className="grid shrink-0 grid-cols-[1fr_auto_auto] grid-rows-[3.5rem] items-center gap-x-2 px-4 sm:px-8
          lg:grid-cols-[1fr_auto] lg:grid-rows-[3.5rem_auto] lg:px-4"
      >
        <BrandLink />
        <div className="max-lg:order-last">
          <UserMenu user={user} />
        </div>
        <div className="lg:col-span-2 lg:-mx-2 lg:pb-2">
          <PaletteTrigger />
        </div>
      </div>
      <Navigation user={user} />
    </header>
  );
}

// The frame loads it with the sidebar.
export { ImpersonationBanner } from './impersonation/impersonation-banner.tsx';

registerSidebar({ default: Sidebar });

function Navigation({ user }: { user: Claims }) {
  const texts = useTexts(navigationTexts);
  const pageNames = useTexts(pageNameTexts);
  const isInAdmin = useLocation().pathname.startsWith('/admin');
  const { redirectOptions, site } = usePage().config;
  const paths = navigationPaths(redirectOptions.login);
  const viewer = { isSignedIn: true, isAdmin: isAdmin(user) };
  const pages = sitePages(site, useLanguage()).filter(({ scope }) => isFor(scope, viewer));
  const home: PageLink = { to: paths.home, label: texts.home, icon: 'home' };
  const main = isShown('home', site) ? [home, ...pages] : pages;
  if (!isAdmin(user) || !isShown('users', site))
    return <PageLinks label={texts.mainNavigation} links={main} />;
  if (!isInAdmin) {
    const admin: PageLink = { to: paths.overview, label: texts.admin, icon: 'shield' };
    return <PageLinks label={texts.mainNavigation} links={[...main, admin]} />;
  }
  const sections = ADMIN_PAGES.map(
    ({ id, icon }): PageLink => ({
      to: paths[id],
      label: pageNames[id].label,
      icon,
      hasPages: id !== 'overview',
    }),
  );
  return <PageLinks label={texts.admin} links={sections} before={home} />;
}

function PageLinks(props: { label: string; links: readonly PageLink[]; before?: PageLink }) {
  const { label, links, before } = props;
  // A single link leads to the current page, so it is hidden on a narrow screen.
  const isOne = links.length === 1 && !before;
  return (
    <nav
      aria-label={label}
      className={`scroll-row px-1.5 pb-2 sm:px-5.5 lg:flex-1 lg:px-2 lg:pt-1 ${isOne ? 'max-lg:hidden' : ''}`}
    >
      <ul className="flex gap-1 lg:flex-col lg:gap-0.5">
        {before && (
          <li className="flex items-center border-line max-lg:border-e max-lg:pe-1 lg:mb-2 lg:border-b lg:pb-2">
            <NavigationLink link={before} />
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
        {links.map((link) => (
          <li key={link.to}>
            <NavigationLink link={link} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NavigationLink({ link: { to, label, icon, hasPages = false } }: { link: PageLink }) {
  return (
    <NavLink
      to={to}
      end={!hasPages}
      className="flex h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-body font-medium whitespace-nowrap
        text-ink-muted transition-colors -outline-offset-2! hover:bg-hover hover:text-ink aria-[current]:bg-hover
        aria-[current]:text-ink lg:h-8"
    >
      <Icon name={icon} className="size-4" />
      {label}
    </NavLink>
  );
}
