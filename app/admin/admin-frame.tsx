/** The admin area's own layout: its sections beside what is shown of them. */
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { Icon, type IconName } from '../ui/icon.tsx';

const SECTIONS: { to: string; label: string; icon: IconName }[] = [
  { to: '/admin', label: 'Users', icon: 'users' },
];

/** Only administrators see the sections. */
export function AdminFrame({ hasSections, children }: { hasSections: boolean; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 py-8 sm:px-6 lg:flex-row lg:gap-10 lg:py-10">
      {hasSections && <Sections />}
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
    </div>
  );
}

function Sections() {
  return (
    <nav aria-label="Admin sections" className="lg:w-44 lg:shrink-0">
      <p className="mb-2 hidden px-2.5 text-xs font-medium text-ink-muted lg:block">Admin</p>
      <ul className="flex gap-1 lg:flex-col">
        {SECTIONS.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end
              className="flex items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm font-medium text-ink-muted
                transition-colors duration-150 hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink"
            >
              <Icon name={icon} className="size-4.5" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
