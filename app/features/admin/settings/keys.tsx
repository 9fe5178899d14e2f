/** The keys: public API keys to reveal, the command that prints the others, and the keys that sign tokens. */
import { Form } from 'react-router';
import { adminSettingsTexts } from '../../../texts/admin-settings.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Field } from '../../../ui/field.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { ConfirmDialog, useConfirmation } from '../../account/confirm-dialog.tsx';
import { settingsPath } from './sections.ts';
import type { SettingsResult, SettingsView, SigningKeys } from './settings.server.ts';

const PATH = settingsPath({ section: 'keys' });
const COMMAND = 'npx greenroom status';
const TONES = { current: 'primary', standby: 'info', former: 'neutral' } as const;

type ShownKeys = NonNullable<(SettingsView & { kind: 'settings' })['keys']>;

/** The section. */
export function Keys({ keys, result }: { keys: ShownKeys; result: SettingsResult | undefined }) {
  const { keys: texts } = useTexts(adminSettingsTexts);
  return (
    <>
      {result?.kind === 'rotated' && (
        <Alert kind={result.isDone ? 'success' : 'error'}>
          {result.lines.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Alert>
      )}
      {keys.uses_cli_keys && <Alert kind="warning">{texts.cliKeys}</Alert>}
      <Card title={texts.api}>
        <ul className="divide-y divide-line">
          <PublicKey
            id="publishable"
            name={texts.publishable}
            text={texts.publishableText}
            keys={keys}
            result={result}
          />
          <PublicKey id="anon" name={texts.anon} text={texts.anonText} keys={keys} result={result} />
        </ul>
      </Card>
      <SecretKeys />
      <Signing keys={keys} />
    </>
  );
}

interface PublicKeyProps {
  id: 'publishable' | 'anon';
  name: string;
  text: string;
  keys: ShownKeys;
  result: SettingsResult | undefined;
}

function PublicKey({ id, name, text, keys, result }: PublicKeyProps) {
  const { keys: texts } = useTexts(adminSettingsTexts);
  const revealed = result?.kind === 'revealed' && result.key === id ? result.value : undefined;
  const confirmation = result?.kind === 'confirm' && result.key === id ? result : undefined;
  return (
    <li className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-body font-medium">{name}</h3>
          <p className="text-small text-ink-muted">{text}</p>
        </div>
        {!revealed && !confirmation && (
          <Form method="post" action={PATH} preventScrollReset>
            <input type="hidden" name="intent" value="reveal" />
            <input type="hidden" name="key" value={id} />
            <Button type="submit" size="small" aria-label={texts.revealOf(name)}>
              {texts.reveal}
            </Button>
          </Form>
        )}
      </div>
      {revealed && (
        <p className="flex items-center gap-2">
          <code className="min-w-0 font-mono text-small [overflow-wrap:anywhere]">{revealed}</code>
          <CopyButton text={revealed} label={texts.copyOf(name)} />
        </p>
      )}
      {confirmation && (
        <Confirmation id={id} name={name} isWrong={confirmation.isWrong} hasCode={keys.hasAuthenticator} />
      )}
    </li>
  );
}

/** Asks for the code of the authenticator app, or else the password. */
function Confirmation(props: { id: string; name: string; isWrong: boolean; hasCode: boolean }) {
  const { id, name, isWrong, hasCode } = props;
  const { keys: texts, cancel } = useTexts(adminSettingsTexts);
  return (
    <Form
      method="post"
      action={PATH}
      preventScrollReset
      aria-label={texts.confirm(name)}
      className="grid max-w-form gap-3 rounded-control border border-line bg-sunken p-4"
    >
      <input type="hidden" name="intent" value="reveal" />
      <input type="hidden" name="key" value={id} />
      <p className="text-body font-medium">{texts.confirm(name)}</p>
      <Field
        label={hasCode ? texts.code : texts.password}
        name={hasCode ? 'code' : 'password'}
        type={hasCode ? 'text' : 'password'}
        inputMode={hasCode ? 'numeric' : 'text'}
        autoComplete={hasCode ? 'one-time-code' : 'current-password'}
        required
        autoFocus
        {...(isWrong && { error: texts.wrong })}
      />
      <p className="text-small text-ink-muted">{texts.alternative}</p>
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          {texts.reveal}
        </Button>
        <ButtonLink to={PATH} variant="ghost">
          {cancel}
        </ButtonLink>
      </div>
    </Form>
  );
}

function SecretKeys() {
  const { keys: texts } = useTexts(adminSettingsTexts);
  return (
    <Card title={texts.secretTitle}>
      <div className="grid gap-3 px-5 py-4 text-body">
        <p className="text-ink-muted">{texts.secretText}</p>
        <p className="flex items-center gap-2">
          <code className="rounded-control bg-sunken px-3 py-1.5 font-mono text-small">{COMMAND}</code>
          <CopyButton text={COMMAND} label={texts.copyCommand} />
        </p>
        <p className="text-small text-ink-muted">{texts.replaceText}</p>
      </div>
    </Card>
  );
}

function Signing({ keys }: { keys: ShownKeys }) {
  const { keys: texts } = useTexts(adminSettingsTexts);
  const isOwn = keys.configured_by === null;
  const rotate = isOwn && (
    <ButtonLink to={settingsPath({ section: 'keys' }, { ask: 'rotate' })} size="small" preventScrollReset>
      {texts.rotate}
    </ButtonLink>
  );
  return (
    <Card title={texts.signing} description={texts.signingText} actions={rotate}>
      {keys.configured_by !== null && (
        <p className="px-5 py-4 text-body text-ink-muted">{texts.configured(keys.configured_by)}</p>
      )}
      <ul className="divide-y divide-line">
        {keys.signing_keys.map((key) => (
          <SigningKey key={key.kid} signingKey={key} canRevoke={isOwn && key.state !== 'current'} />
        ))}
      </ul>
      <ConfirmRotate />
      <ConfirmRevoke />
    </Card>
  );
}

function SigningKey(props: { signingKey: SigningKeys['signing_keys'][number]; canRevoke: boolean }) {
  const { signingKey, canRevoke } = props;
  const { keys: texts } = useTexts(adminSettingsTexts);
  const { kid, algorithm, state, created_at: createdAt } = signingKey;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
      <div className="min-w-0">
        <p className="font-mono text-small [overflow-wrap:anywhere]">{kid}</p>
        <p className="text-small text-ink-muted">
          {algorithm}
          {createdAt !== null && (
            <>
              {' · '}
              {texts.created} <LocalTime seconds={createdAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
        {canRevoke && (
          <ButtonLink
            to={settingsPath({ section: 'keys' }, { ask: 'revoke', id: kid })}
            size="small"
            preventScrollReset
            aria-label={texts.revokeOf(kid)}
          >
            {texts.revoke}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

function ConfirmRotate() {
  const { keys: texts, cancel } = useTexts(adminSettingsTexts);
  if (useConfirmation('rotate') === undefined) return null;
  const { title, text } = texts.confirmRotate;
  return (
    <ConfirmDialog title={title} text={text} closeTo={PATH}>
      <Form method="post" action={PATH} className="flex flex-wrap justify-end gap-2">
        <input type="hidden" name="intent" value="rotate" />
        <ButtonLink to={PATH} preventScrollReset>
          {cancel}
        </ButtonLink>
        <Button type="submit" variant="primary">
          {texts.rotate}
        </Button>
      </Form>
    </ConfirmDialog>
  );
}

function ConfirmRevoke() {
  const { keys: texts, cancel } = useTexts(adminSettingsTexts);
  const kid = useConfirmation('revoke');
  if (!kid) return null;
  const { title, text } = texts.confirmRevoke;
  return (
    <ConfirmDialog title={title} text={text} closeTo={PATH}>
      <Form method="post" action={PATH} className="flex flex-wrap justify-end gap-2">
        <input type="hidden" name="intent" value="revoke" />
        <input type="hidden" name="kid" value={kid} />
        <ButtonLink to={PATH} preventScrollReset>
          {cancel}
        </ButtonLink>
        <Button type="submit" variant="danger">
          {texts.revoke}
        </Button>
      </Form>
    </ConfirmDialog>
  );
}
