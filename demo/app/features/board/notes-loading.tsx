/** Placeholder of the notes while they are loading. */
import { useTexts } from 'greenroom/app';
import { Loading, Skeleton } from 'greenroom/app/ui/skeleton';
import { boardTexts } from '../../texts/board.ts';
import { NOTE_GRID } from './note-grid.tsx';

const CARDS = ['one', 'two', 'three'];

/** Placeholder of the notes. */
export function NotesLoading() {
  const texts = useTexts(boardTexts);
  return (
    <Loading label={texts.loading}>
      <div className={NOTE_GRID}>
        {CARDS.map((card) => (
          <div key={card} className="card flex min-h-32 flex-col gap-3 p-4 max-sm:not-first:hidden">
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-1/2" />
            <div className="mt-auto flex items-center gap-2">
              <Skeleton className="size-6 rounded-full!" />
              <Skeleton className="h-3 w-20" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
