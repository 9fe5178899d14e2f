/** The layout of the sign-in page: the form in a column, and on wide screens a panel next to it. */
import type { ReactNode } from 'react';
import { LazyPaletteButton } from '../../shell/overlays/lazy-shortcuts.tsx';
import { BrandLink } from '../../ui/brand.tsx';
import { ScreenSettings } from '../../ui/screen-settings.tsx';
import { DoorPanel } from './door-panel.tsx';

/** On a phone, the column fills the width. */
export function LoginPage({ children }: { children: ReactNode }) {
  return (
    <div className="grid flex-1 lg:grid-cols-[minmax(28rem,5fr)_6fr]">
      <div className="flex flex-col px-5 sm:px-8">
        <header className="flex h-16 shrink-0 items-center justify-between">
          <BrandLink />
          <LazyPaletteButton />
        </header>
        <section
          aria-labelledby="login-title"
          className="mx-auto flex w-full max-w-form flex-1 flex-col py-8 sm:justify-center sm:pb-16"
        >
          {children}
        </section>
        <footer className="py-4">
          <ScreenSettings />
        </footer>
      </div>
      <DoorPanel />
    </div>
  );
}
