/** The open queries of this window, kept in the browser with every change. */
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type Draft,
  draftPrefix,
  newDraft,
  parseDraft,
  readActive,
  readDrafts,
  removeDraft,
  writeActive,
  writeDraft,
} from './drafts.ts';

/** The open queries, of which one is shown. */
interface OpenDrafts {
  drafts: readonly Draft[];
  active: Draft;
}

/** The open queries, and how to change them. */
export interface DraftActions {
  /** Undefined until the browser's storage has been read. */
  open: OpenDrafts | undefined;
  /** Whether the browser keeps the drafts. */
  isStored: boolean;
  select(id: string): void;
  /** Opens another query, and shows it. Returns its id. */
  add(fields?: Partial<Pick<Draft, 'name' | 'sql' | 'saved'>>): string;
  change(id: string, fields: Partial<Omit<Draft, 'id' | 'createdAt'>>): void;
  close(id: string): void;
}

/**
 * @param typed returns the text that the visitor has typed before the scripts were loaded
 * @param onForeignChange called when another window has changed a query
 */
export function useDrafts(
  userId: string,
  typed: () => string,
  onForeignChange: (draft: Draft) => void,
): DraftActions {
  const [open, setOpen] = useState<OpenDrafts>();
  const [isStored, setStored] = useState(true);
  const callbacks = useRef({ typed, onForeignChange });
  useEffect(() => {
    callbacks.current = { typed, onForeignChange };
  });

  useEffect(() => {
    setOpen(restore(userId, callbacks.current.typed()));
    const onStorage = ({ key, newValue }: StorageEvent) => {
      const draft = key?.startsWith(draftPrefix(userId)) ? parseDraft(newValue) : undefined;
      if (draft === undefined) return;
      setOpen((before) => before && withDraft(before, draft));
      callbacks.current.onForeignChange(draft);
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [userId]);

  const select = useCallback(
    (id: string) => {
      writeActive(window, userId, id);
      setOpen((before) => {
        const active = before?.drafts.find((draft) => draft.id === id);
        return before && active ? { ...before, active } : before;
      });
    },
    [userId],
  );

  const add = useCallback<DraftActions['add']>(
    (fields) => {
      const draft = newDraft(fields);
      setStored(writeDraft(window, userId, draft));
      writeActive(window, userId, draft.id);
      setOpen((before) => ({ drafts: [...(before?.drafts ?? []), draft], active: draft }));
      return draft.id;
    },
    [userId],
  );

  const change = useCallback<DraftActions['change']>(
    (id, fields) =>
      setOpen((before) => {
        const draft = before?.drafts.find((each) => each.id === id);
        if (!before || !draft) return before;
        return withDraft(before, { ...draft, ...fields });
      }),
    [],
  );

  const close = useCallback(
    (id: string) => {
      removeDraft(window, userId, id);
      setOpen((before) => before && withoutDraft(before, id));
    },
    [userId],
  );

  useStored(userId, open, setStored);
  return { open, isStored, select, add, change, close };
}

/** Stores each draft that has changed. */
function useStored(
  userId: string,
  open: OpenDrafts | undefined,
  setStored: (isStored: boolean) => void,
): void {
  const stored = useRef(new Map<string, Draft>());
  useEffect(() => {
    for (const draft of open?.drafts ?? []) {
      if (stored.current.get(draft.id) === draft) continue;
      stored.current.set(draft.id, draft);
      setStored(writeDraft(window, userId, draft));
    }
  }, [userId, open, setStored]);
}

function restore(userId: string, typed: string): OpenDrafts {
  const drafts = readDrafts(window, userId);
  const same = drafts.find(({ sql }) => sql === typed);
  const last = drafts.find(({ id }) => id === readActive(window, userId)) ?? drafts.at(-1);
  const active = typed.trim() === '' ? last : same;
  if (active) return { drafts, active };
  const added = newDraft({ sql: typed });
  return { drafts: [...drafts, added], active: added };
}

function withDraft({ drafts, active }: OpenDrafts, draft: Draft): OpenDrafts {
  const isKnown = drafts.some(({ id }) => id === draft.id);
  return {
    drafts: isKnown ? drafts.map((each) => (each.id === draft.id ? draft : each)) : [...drafts, draft],
    active: active.id === draft.id ? draft : active,
  };
}

function withoutDraft({ drafts, active }: OpenDrafts, id: string): OpenDrafts {
  const index = drafts.findIndex((draft) => draft.id === id);
  const rest = drafts.filter((draft) => draft.id !== id);
  const neighbour = rest[Math.min(index, rest.length - 1)] ?? newDraft();
  const left = rest.length === 0 ? [neighbour] : rest;
  return { drafts: left, active: active.id === id ? neighbour : active };
}
