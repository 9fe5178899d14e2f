/**
 * The palette's user interface: a search field, matching commands, and key hints. On a phone it fills the
 * width.
 */
import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import type { Language } from '../../lib/language.ts';
import { paletteTexts } from '../../texts/palette.ts';
import { uiTexts } from '../../texts/ui.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { usePortalContainer } from '../../ui/portal-container.tsx';
import { ScrollLock } from '../../ui/scroll-lock.tsx';
import { closeOverlay, returnFocus } from '../shortcuts/overlay.ts';
import { ShortcutKeys } from '../shortcuts/shortcut-keys.tsx';
import { arrangeCommands, type ShownGroup } from './arrange-commands.ts';
import type { Command } from './commands.ts';
import { hitGroups } from './hit-groups.ts';
import { HitProblemLine } from './hits/hit-problem-line.tsx';
import { type HitSearch, shownHits } from './hits/hit-search.ts';
import { MAX_QUERY_CHARACTERS } from './hits/hits.ts';
import { useHitSearch } from './hits/use-hit-search.ts';
import { loadRecent } from './recent.ts';

/** Commands of the palette, and the callback for a choice. */
interface PaletteProps {
  commands: readonly Command[];
  /** Finds users, tables and settings, too. */
  findsHits: boolean;
  choose(command: Command): void;
}

/**
 * Does not use radix-ui's overlay, which locks scrolling with a style element that the content security
 * policy forbids. The dialog itself dims the page, and accepts clicks during its opening animation, like
 * all dialogs of the app.
 */
export function PaletteDialog({ isOpen, ...palette }: PaletteProps & { isOpen: boolean }) {
  const { title } = useTexts(paletteTexts);
  const portalContainer = usePortalContainer();
  return (
    <Radix.Root open={isOpen} onOpenChange={closeOverlay}>
      <Radix.Portal {...portalContainer}>
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="group pointer-events-auto fixed inset-0 z-(--layer-dialog) flex items-start justify-center
            bg-backdrop text-ink outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in sm:p-6 sm:pt-[14vh]"
        >
          <ScrollLock />
          <Radix.Close aria-hidden="true" tabIndex={-1} className="absolute inset-0 cursor-default!" />
          <div
            className="floating relative w-full overflow-hidden rounded-b-dialog shadow-high
              group-data-[state=closed]:animate-exit group-data-[state=open]:animate-enter sm:max-w-xl
              sm:rounded-dialog"
          >
            <Radix.Title className="sr-only">{title}</Radix.Title>
            <CommandBox {...palette} />
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The search is done here; cmdk only moves the selection. The state is reset each time the palette opens. */
function CommandBox({ commands, findsHits, choose }: PaletteProps) {
  const texts = useTexts(paletteTexts);
  const [query, setQuery] = useState('');
  const [search, sendSearch] = useHitSearch();
  const [recent] = useState(() => loadRecent(window));
  const hits = shownHits(search);
  const groups = [
    ...arrangeCommands(commands, query, recent),
    ...(hits ? hitGroups(hits, texts.allUsers(query.trim())) : []),
  ];
  const count = groups.reduce((sum, group) => sum + group.commands.length, 0);
  const changeQuery = (text: string) => {
    setQuery(text);
    if (findsHits) sendSearch({ type: 'typed', text });
  };
  return (
    <CommandRoot label={texts.search} shouldFilter={false} vimBindings={false} loop>
      <SearchField query={query} setQuery={changeQuery} isSearching={search.kind === 'searching'} />
      <CommandList
        label={texts.commands}
        className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2 outline-none"
      >
        {groups.map((group) => (
          <Group key={group.name} group={group} choose={choose} />
        ))}
      </CommandList>
      {count === 0 && <NoEntries search={search} query={query} />}
      {search.kind === 'failed' && (
        <HitProblemLine problem={search.problem} retry={() => sendSearch({ type: 'retry' })} />
      )}
      <p role="status" className="sr-only">
        {statusText(texts, { search, query, count })}
      </p>
      <KeyHints />
    </CommandRoot>
  );
}

/** The state of a search is announced at once, and the number of its results when they have arrived. */
function statusText(
  texts: (typeof paletteTexts)[Language],
  { search, query, count }: { search: HitSearch; query: string; count: number },
): string {
  if (search.kind === 'searching') return texts.searching;
  if (search.kind === 'failed') return texts.hitProblems[search.problem];
  if (count === 0) return texts.noResults(query);
  return search.kind === 'found' ? texts.results(count) : texts.found(count);
}

function SearchField(props: { query: string; setQuery(query: string): void; isSearching: boolean }) {
  const { query, setQuery, isSearching } = props;
  const { placeholder } = useTexts(paletteTexts);
  const { close } = useTexts(uiTexts);
  return (
    <div className="relative flex items-center gap-3 overflow-hidden border-b border-line ps-4 pe-2.5">
      <Icon name="search" className="size-4.5 text-ink-muted" />
      {/* A font size of 16 px prevents phones from zooming in. */}
      <CommandInput
        value={query}
        onValueChange={setQuery}
        placeholder={placeholder}
        maxLength={MAX_QUERY_CHARACTERS}
        enterKeyHint="go"
        className="h-13 min-w-0 flex-1 bg-transparent text-lead outline-none placeholder:text-ink-faint sm:h-12"
      />
      <Radix.Close asChild>
        <IconButton icon="close" label={close} />
      </Radix.Close>
      {isSearching && <span aria-hidden="true" className="pending-bar" />}
    </div>
  );
}

function Group({ group, choose }: { group: ShownGroup; choose: PaletteProps['choose'] }) {
  const { groups } = useTexts(paletteTexts);
  return (
    <CommandGroup
      value={group.name}
      heading={
        <span className="block px-2.5 pt-2.5 pb-1 text-caption font-medium text-ink-muted">
          {groups[group.name]}
        </span>
      }
    >
      {group.commands.map((command) => (
        <Line key={command.id} command={command} choose={choose} />
      ))}
    </CommandGroup>
  );
}

/** A label is shortened if it would leave no space for its detail; both are searched for as a whole. */
function Line({ command, choose }: { command: Command; choose: PaletteProps['choose'] }) {
  const { current } = useTexts(paletteTexts);
  return (
    <CommandItem
      value={command.id}
      onSelect={() => choose(command)}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2.5 py-1.5 text-body select-none
        data-[selected=true]:bg-hover sm:min-h-9"
    >
      <Icon name={command.icon} className="size-4 text-ink-muted" />
      <span lang={command.labelLanguage} className={`min-w-0 flex-1 ${command.detail ? 'truncate' : ''}`}>
        {command.label}
      </span>
      {command.detail && (
        <span className="max-w-1/2 min-w-0 truncate text-small text-ink-muted">{command.detail}</span>
      )}
      {command.isCurrent && (
        <span className="flex items-center gap-1.5 text-small text-ink-muted">
          <Icon name="check" className="size-3.5" />
          {current}
        </span>
      )}
      {command.keys && (
        <span aria-hidden="true" className="max-sm:hidden">
          <ShortcutKeys keys={command.keys} />
        </span>
      )}
    </CommandItem>
  );
}

/** Takes the place of an empty list. A failed search may have results, and its line explains what to do. */
function NoEntries({ search, query }: { search: HitSearch; query: string }) {
  if (search.kind === 'failed') return null;
  return search.kind === 'searching' ? <Searching /> : <NoResults query={query} />;
}

function Searching() {
  const { searching } = useTexts(paletteTexts);
  return (
    <p aria-hidden="true" className="px-6 pt-4 pb-8 text-center text-body text-ink-muted">
      {searching}
    </p>
  );
}

function NoResults({ query }: { query: string }) {
  const texts = useTexts(paletteTexts);
  return (
    <div aria-hidden="true" className="px-6 pt-4 pb-8 text-center text-body">
      <p className="font-medium [overflow-wrap:anywhere]">{texts.noResults(query)}</p>
      <p className="mt-0.5 text-ink-muted">{texts.noResultsHint}</p>
    </div>
  );
}

/** Visual hints; a screen reader itself explains how to use a list. */
function KeyHints() {
  const { keys } = useTexts(paletteTexts);
  return (
    <div
      aria-hidden="true"
      className="hidden items-center gap-4 border-t border-line px-4 py-2 text-caption text-ink-muted sm:flex"
    >
      <KeyHint words={keys.navigate}>
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
      </KeyHint>
      <KeyHint words={keys.select}>
        <Kbd>↵</Kbd>
      </KeyHint>
      <KeyHint words={keys.close}>
        <Kbd>Esc</Kbd>
      </KeyHint>
    </div>
  );
}

function KeyHint({ words, children }: { words: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {children}
      <span className="ms-0.5">{words}</span>
    </span>
  );
}
