/** Components that report states and results. */
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { CardSkeleton, Loading, TableSkeleton } from '../../../ui/skeleton.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { Entry } from './entry.tsx';

/** The entries of this group. */
export function FeedbackEntries() {
  const { descriptions, samples } = useTexts(catalogueTexts);
  return (
    <>
      <Entry name="Alert" description={descriptions.alert} isWide>
        <Alert kind="error" title={samples.errorTitle}>
          {samples.errorText}
        </Alert>
        <Alert kind="warning">{samples.warningText}</Alert>
        <Alert kind="info">{samples.infoText}</Alert>
        <Alert kind="success">{samples.successText}</Alert>
      </Entry>
      <Entry name="Toast" description={descriptions.toast}>
        <ToastButtons />
      </Entry>
      <Entry name="Skeleton" description={descriptions.skeleton} isWide>
        <Loading>
          <div className="grid gap-4">
            <CardSkeleton />
            <TableSkeleton rows={3} />
          </div>
        </Loading>
      </Entry>
      <Entry name="EmptyState" description={descriptions.empty} isWide>
        <div className="card">
          <EmptyState icon="mail" title={samples.emptyTitle} text={samples.emptyText} level={3}>
            <Button type="button" variant="primary">
              {samples.newNote}
            </Button>
          </EmptyState>
        </div>
      </Entry>
      <Entry name="Progress" description={descriptions.progress}>
        <div className="grid w-full gap-4">
          <Progress label={samples.uploading} value={0.4} />
          <Progress label={samples.processing} />
        </div>
      </Entry>
    </>
  );
}

function ToastButtons() {
  const { samples } = useTexts(catalogueTexts);
  const { add } = useToast();
  return (
    <>
      <Button type="button" onClick={() => add({ kind: 'success', title: samples.successText })}>
        {samples.showToast}
      </Button>
      <Button
        type="button"
        onClick={() => add({ kind: 'error', title: samples.errorTitle, description: samples.errorText })}
      >
        {samples.showError}
      </Button>
      <Button
        type="button"
        onClick={() =>
          add({
            kind: 'info',
            title: samples.infoText,
            duration: Number.POSITIVE_INFINITY,
            action: { label: samples.undo, onSelect: () => {} },
          })
        }
      >
        {samples.showPersistent}
      </Button>
    </>
  );
}
