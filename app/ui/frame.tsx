/** The default layout around every page and error: a way past it, the header, and one place for the page. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { MirroredSession } from '../session/mirror.ts';
import { SessionProvider, useSession } from '../session/session-provider.tsx';
import { BrandLink } from './brand.tsx';
import { ColourModeSwitch } from './colour-mode-switch.tsx';
import { ToastArea } from './toast-area.tsx';
import { UserMenu } from './user-menu.tsx';

const MAIN_ID = 'main';

/** `loaded` is what the server said about the session; undefined where it could not say. */
export function Frame(props: { loaded: MirroredSession | undefined; children: ReactNode }) {
  const { loaded, children } = props;
  return (
    <SessionProvider loaded={loaded}>
      <a
        href={`#${MAIN_ID}`}
        className="fixed start-4 top-3 z-50 -translate-y-16 rounded-lg bg-solid px-4 py-2 text-sm font-medium
          text-on-solid focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="stage flex min-h-dvh flex-col">
        <Header />
        <Main>{children}</Main>
      </div>
      <ToastArea />
    </SessionProvider>
  );
}

/** A new page takes the focus, so that those who cannot see it are at its beginning. */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const focused = useRef(pathname);
  useEffect(() => {
    if (focused.current !== pathname) main.current?.focus();
    focused.current = pathname;
  }, [pathname]);
  return (
    <main ref={main} id={MAIN_ID} tabIndex={-1} className="flex flex-1 flex-col outline-none">
      {children}
    </main>
  );
}

function Header() {
  const { user } = useSession();
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-canvas/80 backdrop-blur-md">
      <div className="mx-auto flex h-14 max-w-6xl items-center justify-between gap-3 px-4 sm:px-6">
        <BrandLink />
        <div className="flex items-center gap-3">
          <ColourModeSwitch />
          {user && <UserMenu user={user} />}
        </div>
      </div>
    </header>
  );
}
