/** Shows the connection status, and the number of pending edits. */

import { Badge, useIsHydrated, useTexts } from 'greenroom/app';
import type { BadgeTone } from 'greenroom/app/ui/badge';
import { boardTexts } from '../../texts/board.ts';
import type { Connection } from './board-state.ts';

const TONES: Record<Connection, BadgeTone> = {
  connecting: 'neutral',
  live: 'primary',
  reconnecting: 'warning',
  offline: 'warning',
};

/** Shows nothing without scripts, because there is no connection. */
export function ConnectionBadge({
  connection,
  unsentCount,
}: {
  connection: Connection;
  unsentCount: number;
}) {
  const texts = useTexts(boardTexts);
  const isHydrated = useIsHydrated();
  return (
    <p role="status" className="flex min-h-5.5 flex-wrap items-center justify-end gap-2">
      {isHydrated && unsentCount > 0 && <Badge>{texts.unsentChanges(unsentCount)}</Badge>}
      {isHydrated && (
        <Badge tone={TONES[connection]} hasDot>
          {texts.connections[connection]}
        </Badge>
      )}
    </p>
  );
}
