/** The state of a panel whose data is not loaded. */
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { sqlLibraryTexts } from '../../../../texts/admin-sql-library.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx';
import type { Loaded } from './use-loaded.ts';

/** A skeleton, or the error with a button to try again. */
export function PanelState(props: { loaded: Exclude<Loaded<unknown>, { kind: 'loaded' }>; onRetry(): void }) {
  const { loaded, onRetry } = props;
  const texts = useTexts(sqlLibraryTexts);
  const { problems } = useTexts(adminSqlTexts);
  if (loaded.kind === 'loading')
    return (
      <Loading label={texts.loading}>
        <div className="grid gap-3">
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </div>
      </Loading>
    );
  return (
    <Alert kind="error" title={texts.loadFailed}>
      {loaded.isSessionOver ? problems.session : problems.other}
      <Button type="button" size="small" className="mt-2 block" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Alert>
  );
}
