/** Views of an object, as links: each has a URL, and works without scripts. */
import { NavLink } from 'react-router';

interface Tab {
  to: string;
  label: string;
  /** Number of entries in the view. */
  count?: number;
}

/** A row of links to the views. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="scroll-row border-b border-line">
      <ul className="flex gap-1">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <TabLink {...tab} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function TabLink({ to, label, count }: Tab) {
  return (
    <NavLink
      to={to}
      end
      preventScrollReset
      className="relative flex h-10 items-center gap-2 px-3 text-body font-medium whitespace-nowrap text-ink-muted
        transition-colors -outline-offset-2! hover:text-ink aria-[current]:text-ink aria-[current]:after:absolute
        aria-[current]:after:inset-x-3 aria-[current]:after:bottom-0 aria-[current]:after:h-0.5
        aria-[current]:after:rounded-full aria-[current]:after:bg-solid"
    >
      {label}
      {count !== undefined && <span className="text-small text-ink-muted tabular-nums">{count}</span>}
    </NavLink>
  );
}
