/** The configured connections, each with a test. */
import { Form, useNavigation } from 'react-router';
import { adminSettingsTexts } from '../../../texts/admin-settings.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { settingsPath } from './sections.ts';
import type { Connection, SettingsResult } from './settings.server.ts';

interface ConnectionsProps {
  connections: readonly Connection[];
  result: SettingsResult | undefined;
}

/** The list. `result` is that of the last test. */
export function Connections({ connections, result }: ConnectionsProps) {
  const { connections: texts } = useTexts(adminSettingsTexts);
  if (connections.length === 0) {
    return (
      <div className="card">
        <EmptyState icon="info" title={texts.none} text={texts.noneText} />
      </div>
    );
  }
  return (
    <Card title={texts.title} description={texts.text}>
      <ul className="divide-y divide-line">
        {connections.map((connection) => (
          <Item key={`${connection.kind} ${connection.name}`} connection={connection} result={result} />
        ))}
      </ul>
    </Card>
  );
}

function Item({ connection, result }: { connection: Connection; result: SettingsResult | undefined }) {
  const { connections: texts } = useTexts(adminSettingsTexts);
  const navigation = useNavigation();
  const { kind, name, target } = connection;
  const title = [texts.kinds[kind], name].filter(Boolean).join(' · ');
  const isPending = navigation.formData?.get('kind') === kind && navigation.formData.get('name') === name;
  const tested =
    result?.kind === 'tested' && result.connection.kind === kind && result.connection.name === name
      ? result
      : undefined;
  return (
    <li className="grid gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-body font-medium">{title}</h3>
          <p className="font-mono text-small text-ink-muted [overflow-wrap:anywhere]">{target}</p>
        </div>
        <Form method="post" action={settingsPath({ section: 'connections' })} preventScrollReset>
          <input type="hidden" name="intent" value="test" />
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="name" value={name} />
          <Button type="submit" size="small" isPending={isPending} aria-label={texts.testOf(title)}>
            {texts.test}
          </Button>
        </Form>
      </div>
      {tested && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-small">
          <Badge tone={tested.isOk ? 'primary' : 'danger'}>{tested.isOk ? texts.works : texts.broken}</Badge>
          <span className="min-w-0 [overflow-wrap:anywhere]">{tested.message}</span>
        </p>
      )}
    </li>
  );
}
