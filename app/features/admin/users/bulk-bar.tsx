/** The bar of the selected users: the change to make, its confirmation and its progress. */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Select } from '../../../ui/select.tsx';
import { BAN_DURATIONS } from './bans.ts';
import { BULK_ACTIONS, type BulkAction, type BulkJob } from './bulk-job.ts';
import { clearSelection, controlBulkChange, startBulkChange, useSelection } from './selection-store.ts';

/** Empty while no user is selected. It needs scripts, like the selection. */
export function BulkBar() {
  const texts = useTexts(adminUsersTexts).bulk;
  const { selection, job } = useSelection();
  if (job) return <JobProgress job={job} />;
  if (selection.size === 0) return null;
  return (
    <section
      aria-label={texts.label}
      className="card sticky top-16 z-(--layer-stuck) flex flex-wrap items-end gap-3 p-4 lg:top-2"
    >
      <ChangeForm count={selection.size} />
    </section>
  );
}

function ChangeForm({ count }: { count: number }) {
  const { bulk } = useTexts(adminUsersTexts);
  const { access } = useTexts(adminUserTexts);
  const language = useLanguage();
  const [action, setAction] = useState<BulkAction>('ban');
  const [duration, setDuration] = useState<string>(BAN_DURATIONS[1]);
  const [role, setRole] = useState('');
  const value = action === 'ban' ? duration : action === 'set-role' ? role.trim() : '';
  const isReady = action !== 'set-role' || value !== '';
  return (
    <>
      <p className="me-auto self-center text-body font-medium">{bulk.count(formatNumber(count, language))}</p>
      <Select
        label={bulk.action}
        value={action}
        onChange={({ target }) => setAction(BULK_ACTIONS.find((name) => name === target.value) ?? 'ban')}
      >
        {BULK_ACTIONS.map((name) => (
          <option key={name} value={name}>
            {bulk.actions[name]}
          </option>
        ))}
      </Select>
      {action === 'ban' && (
        <Select label={access.banFor} value={duration} onChange={({ target }) => setDuration(target.value)}>
          {BAN_DURATIONS.map((hours, index) => (
            <option key={hours} value={hours}>
              {access.durations[index]}
            </option>
          ))}
        </Select>
      )}
      {action === 'set-role' && (
        <Field
          label={bulk.role}
          value={role}
          maxLength={100}
          onChange={({ target }) => setRole(target.value)}
        />
      )}
      <Confirmation
        count={count}
        action={action}
        isReady={isReady}
        onConfirm={() => startBulkChange(action, value)}
      />
      <Button size="large" variant="ghost" onClick={clearSelection}>
        {bulk.clear}
      </Button>
    </>
  );
}

/** Deleting asks for the number of users. */
function Confirmation(props: { count: number; action: BulkAction; isReady: boolean; onConfirm(): void }) {
  const { count, action, isReady, onConfirm } = props;
  const { bulk } = useTexts(adminUsersTexts);
  const language = useLanguage();
  const [typed, setTyped] = useState('');
  const number = formatNumber(count, language);
  const isConfirmed = action !== 'delete' || typed.replace(/\D/g, '') === String(count);
  return (
    <Dialog
      trigger={
        <Button size="large" variant={action === 'delete' ? 'danger' : 'primary'} disabled={!isReady}>
          {bulk.apply}
        </Button>
      }
      title={bulk.confirmTitle(bulk.actions[action], number)}
      description={bulk.confirmText}
      footer={
        <Button
          variant={action === 'delete' ? 'danger' : 'primary'}
          disabled={!isConfirmed}
          onClick={onConfirm}
        >
          {bulk.actions[action]}
        </Button>
      }
    >
      {action === 'delete' && (
        <Field
          label={bulk.typeCount(number)}
          value={typed}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Dialog>
  );
}

function JobProgress({ job }: { job: BulkJob }) {
  const texts = useTexts(adminUsersTexts).bulk;
  const language = useLanguage();
  const { selection } = useSelection();
  const { revalidate } = useRevalidator();
  const { state, total, remaining, failures, action } = job;
  const done = total - remaining.length;
  const write = (number: number) => formatNumber(number, language);
  const close = () => {
    controlBulkChange('close');
    void revalidate();
  };
  return (
    <section aria-label={texts.label} className="card grid gap-3 p-4 text-body">
      <p role="status" className="font-medium">
        {texts.actions[action]}: {texts.progress(write(done), write(total))}
      </p>
      <Progress label={texts.actions[action]} value={done} max={total} />
      {state === 'paused' && <p>{texts.paused}</p>}
      {state === 'done' && <p>{texts.done(write(done - failures.length))}</p>}
      {failures.length > 0 && (
        <div className="grid gap-1">
          <p>{texts.failed(write(failures.length))}</p>
          <ul className="max-h-40 overflow-auto text-small text-ink-muted">
            {failures.map(({ id, problem }) => (
              <li key={id}>
                {selection.get(id) ?? id}: {problem}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {state === 'paused' && (
          <Button variant="primary" onClick={() => controlBulkChange('continue')}>
            {texts.goOn}
          </Button>
        )}
        {(state === 'running' || state === 'paused') && (
          <Button onClick={() => controlBulkChange('stop')}>{texts.stop}</Button>
        )}
        {(state === 'done' || state === 'stopped') && <Button onClick={close}>{texts.close}</Button>}
      </div>
    </section>
  );
}
