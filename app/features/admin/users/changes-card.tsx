/** The latest entries of the audit log about a user. */
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import type { UserDetail } from './user-detail.server.ts';

/** Empty without an audit log. */
export function ChangesCard({ changes }: Pick<UserDetail, 'changes'>) {
  const texts = useTexts(adminUserTexts).audit;
  if (changes === undefined) return null;
  return (
    <Card title={texts.title}>
      {changes.length === 0 ? (
        <p className="p-5 text-body text-ink-muted">{texts.none}</p>
      ) : (
        <ol aria-label={texts.title} className="grid divide-y divide-line text-body">
          {changes.map((change) => (
            <li key={change.id} className="px-5 py-3 [overflow-wrap:anywhere]">
              <p>
                {change.summary} {change.outcome === 'failed' && <Badge tone="danger">{texts.failed}</Badge>}
                {change.outcome === 'started' && <Badge tone="warning">{texts.unfinished}</Badge>}
              </p>
              <p className="text-small text-ink-muted">
                {change.actor}
                {change.createdAt !== null && (
                  <>
                    {' · '}
                    <LocalTime seconds={change.createdAt} />
                  </>
                )}
              </p>
              {change.error && <p className="text-small text-danger-ink">{change.error}</p>}
              <Value label={texts.before} json={change.before} />
              <Value label={texts.after} json={change.after} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Value({ label, json }: { label: string; json: string }) {
  if (json === '') return null;
  return (
    <details className="mt-1 text-small">
      <summary className="w-fit cursor-pointer text-ink-muted">{label}</summary>
      <pre className="mt-1 overflow-x-auto rounded-control bg-sunken p-3 font-mono text-caption">{json}</pre>
    </details>
  );
}
