/** Checkboxes that select users for a change. Without scripts, there are none. */
import { type ComponentProps, useEffect, useRef } from 'react';
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { select, useSelection } from './selection-store.ts';
import type { UserRow } from './user-rows.ts';

/** Selects one user. */
export function SelectUser({ id, name }: { id: string; name: string }) {
  const texts = useTexts(adminUsersTexts);
  const { selection } = useSelection();
  return (
    <Box
      aria-label={texts.select(name)}
      checked={selection.has(id)}
      onChange={({ target }) => select([[id, name]], target.checked)}
    />
  );
}

/** Selects all users of the page. */
export function SelectAll({ rows }: { rows: readonly UserRow[] }) {
  const texts = useTexts(adminUsersTexts);
  const { selection } = useSelection();
  const count = rows.filter(({ id }) => selection.has(id)).length;
  return (
    <Box
      aria-label={texts.selectAll}
      checked={count === rows.length}
      isPartial={count > 0 && count < rows.length}
      onChange={({ target }) =>
        select(
          rows.map(({ id, email, phone }) => [id, email || phone || id]),
          target.checked,
        )
      }
    />
  );
}

function Box({ isPartial = false, ...props }: ComponentProps<'input'> & { isPartial?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const isHydrated = useIsHydrated();
  useEffect(() => {
    if (input.current) input.current.indeterminate = isPartial;
  });
  if (!isHydrated) return <span className="block size-4" />;
  return (
    <input {...props} ref={input} type="checkbox" className="block size-4 cursor-pointer accent-solid" />
  );
}
