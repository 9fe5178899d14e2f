/** The navigation within the account page, and the sections to which it leads. Its links work without scripts. */
import { createContext, type MouseEvent, type ReactNode, useContext, useMemo } from 'react';
import { useCurrentSection } from './use-current-section.ts';

/** Connects the links with the sections. */
interface SectionTracking {
  /** Id of the section in view. */
  current: string | undefined;
  observe(section: HTMLElement): () => void;
  jumpTo(id: string): void;
}

const Tracking = createContext<SectionTracking>({
  current: undefined,
  observe: () => () => {},
  jumpTo: () => {},
});

/** Tracks the sections inside of it. `ids` are all that may exist, in the order of the page. */
export function TrackedSections({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const { current, observe, jumpTo } = useCurrentSection(ids);
  const tracking = useMemo(() => ({ current, observe, jumpTo }), [current, observe, jumpTo]);
  return <Tracking value={tracking}>{children}</Tracking>;
}

/** A sticky column on wide screens, otherwise a row that scrolls sideways. */
export function SectionNavigation({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      aria-label={label}
      className="scroll-row -mx-4 px-1.5 sm:-mx-8 sm:px-5.5 xl:sticky xl:top-10 xl:mx-0 xl:-ms-2.5 xl:px-0"
    >
      <ul className="flex gap-1 xl:flex-col xl:gap-0.5">{children}</ul>
    </nav>
  );
}

/** A link to a section, marked while the section is in view. */
export function SectionLink({ id, children }: { id: string; children: ReactNode }) {
  const { current, jumpTo } = useContext(Tracking);
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    jumpTo(id);
  };
  return (
    <li>
      <a
        href={`#${id}`}
        aria-current={current === id ? 'true' : undefined}
        onClick={onClick}
        className="flex h-9 items-center rounded-control px-2.5 text-body font-medium whitespace-nowrap text-ink-muted
          transition-colors -outline-offset-2! hover:bg-hover hover:text-ink aria-[current]:bg-hover
          aria-[current]:text-ink xl:h-auto xl:min-h-8 xl:py-1 xl:whitespace-normal"
      >
        {children}
      </a>
    </li>
  );
}

/** A group of cards with a heading. `id` is the target of its link. */
export function Section(props: { id: string; title: string; lead: string; children: ReactNode }) {
  const { id, title, lead, children } = props;
  const { observe } = useContext(Tracking);
  const titleId = `${id}-title`;
  return (
    <section
      ref={observe}
      id={id}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="grid scroll-mt-28 grid-cols-1 gap-4 outline-none lg:scroll-mt-8"
    >
      <header>
        <h2 id={titleId} className="text-title font-semibold">
          {title}
        </h2>
        <p className="text-body text-ink-muted">{lead}</p>
      </header>
      {children}
    </section>
  );
}
