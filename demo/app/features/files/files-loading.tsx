/** Placeholder of the list while it is loading. */
import { useTexts } from 'greenroom/app';
import { Loading, Skeleton } from 'greenroom/app/ui/skeleton';
import { filesTexts } from '../../texts/files.ts';

const ROWS = ['one', 'two', 'three'];

/** Placeholder of the list. */
export function FilesLoading() {
  const texts = useTexts(filesTexts);
  return (
    <Loading label={texts.loading}>
      <div className="card divide-y divide-line">
        {ROWS.map((row) => (
          <div key={row} className="flex items-center gap-3 px-4 py-3">
            <Skeleton className="size-10" />
            <span className="grid flex-1 gap-2">
              <Skeleton className="h-3.5 w-48 max-w-full" />
              <Skeleton className="h-2.5 w-24 max-w-full" />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}
