/**
 * The default layout around every page and error: skip link, header, navigation, footer, and the main
 * element for the page.
 */
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { NavLink, useLocation, useMatches } from 'react-router';
import { usePage } from '../lib/page/page-context.tsx';
import { isImpersonated } from '../session/claims.ts';
import type { ClientSession } from '../session/client-session.ts';
import { SessionProvider, useSession } from '../session/session-provider.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/use-texts.ts';
import { BrandLink } from '../ui/brand.tsx';
import { NavigationProgress } from '../ui/navigation-progress.tsx';
import { ScreenSettings } from '../ui/screen-settings.tsx';
import { LazySidebar } from './lazy-sidebar.ts';
import { LazyPaletteButton, Shortcuts } from './overlays/lazy-shortcuts.tsx';
import { isFor } from './scope.ts';
import { sitePages } from './site-navigation.ts';
import { ToastArea } from './toast-area.tsx';

const MAIN_ID = 'main';

/** Few visitors ever see it, so other pages do not load it. */
const ImpersonationBanner = lazy(async () => ({
  default: (await import('./sidebar.tsx')).ImpersonationBanner,
}));

interface FrameProps {
  /** The server's session state; undefined if the server could not determine it. */
  loaded: ClientSession | undefined;
  children: ReactNode;
}

/** The default layout around a page. */
export function Frame({ loaded, children }: FrameProps) {
  return (
    <SessionProvider loaded={loaded}>
      <SkipLink />
      <PageLayout>{children}</PageLayout>
      <Shortcuts />
      <ToastArea />
    </SessionProvider>
  );
}

/**
 * Signed-in users get the app's navigation around the page, visitors a plain header and footer. A page
 * whose route exports `handle = { isFullScreen: true }` fills the screen. The page has the same position and key
 * in all three layouts, so a change of layout does not remount it.
 */
function PageLayout({ children }: { children: ReactNode }) {
  const { user } = useSession();
  const isFullScreen = useMatches().some(({ handle }) => isFullScreenHandle(handle));
  const hasSidebar = user !== null && !isFullScreen;
  return (
    <div className={`flex min-h-dvh flex-col ${hasSidebar ? 'lg:ps-62' : ''}`}>
      {hasSidebar && (
        <Suspense>
          <LazySidebar user={user} />
        </Suspense>
      )}
      {!hasSidebar && !isFullScreen && <PlainHeader />}
      <Main key="main">{children}</Main>
      {hasSidebar && <SidebarFooter />}
      {!hasSidebar && !isFullScreen && <PlainFooter />}
      {user && isImpersonated(user) && (
        <Suspense>
          <ImpersonationBanner user={user} />
        </Suspense>
      )}
    </div>
  );
}

function isFullScreenHandle(handle: unknown): boolean {
  return (handle as { isFullScreen?: unknown } | null | undefined)?.isFullScreen === true;
}

function SkipLink() {
  const texts = useTexts(commonTexts);
  return (
    <a
      href={`#${MAIN_ID}`}
      className="fixed start-4 top-3 z-(--layer-skip) -translate-y-16 rounded-control bg-solid px-4 py-2 text-body
        font-medium text-on-solid transition-transform focus:translate-y-0 focus:shadow-mid"
    >
      {texts.skipToContent}
    </a>
  );
}

/** Moves the focus to a new page, so that screen readers start at its beginning. */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  // A different `mode` shows a different form, in which the clicked link no longer exists.
  const view = `${pathname} ${new URLSearchParams(search).get('mode') ?? ''}`;
  const focused = useRef(view);
  useEffect(() => {
    // The router decides about the scroll position.
    if (focused.current !== view) main.current?.focus({ preventScroll: true });
    focused.current = view;
  }, [view]);
  return (
    <main
      ref={main}
      id={MAIN_ID}
      tabIndex={-1}
      className="flex flex-1 scroll-mt-14 flex-col outline-none lg:scroll-mt-0"
    >
      <NavigationProgress />
      {children}
    </main>
  );
}

function PlainHeader() {
  return (
    <header className="flex h-16 items-center justify-between gap-3 px-5 sm:px-8">
      <BrandLink />
      <SiteLinks />
      <LazyPaletteButton />
    </header>
  );
}

/** Pages of the product that visitors without a session may open. */
function SiteLinks() {
  const { config, language } = usePage();
  const { mainNavigation } = useTexts(commonTexts);
  const pages = sitePages(config.site, language).filter(({ scope }) =>
    isFor(scope, { isSignedIn: false, isAdmin: false }),
  );
  if (pages.length === 0) return null;
  return (
    <nav aria-label={mainNavigation} className="scroll-row flex-1">
      <ul className="flex gap-1">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              className="rounded-control px-2.5 py-1.5 text-body font-medium whitespace-nowrap text-ink-muted hover:bg-hover
                hover:text-ink aria-[current]:text-ink"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Below the navigation; on a narrow screen below the page. */
function SidebarFooter() {
  return (
    <footer
      className="z-(--layer-header) px-4 py-3 sm:px-8 lg:fixed lg:bottom-0 lg:start-0 lg:w-62 lg:border-e
        lg:border-line lg:bg-sunken lg:px-4"
    >
      <ScreenSettings />
    </footer>
  );
}

function PlainFooter() {
  return (
    <footer className="px-5 py-4 sm:px-8">
      <ScreenSettings />
    </footer>
  );
}
