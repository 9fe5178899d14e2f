/** The settings on the server: the selected section, and its forms. */
import { data, redirect } from 'react-router';
import { type OperatorClient, OperatorError } from '../../../session/operator-client.server.ts';
import { refused } from '../../../session/page-errors.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin, audited } from '../shared/as-admin.server.ts';
import { hasAuthenticator, isReauthenticated } from './reauthenticate.server.ts';
import { readSettingsSelection, sectionOf, selectSettings, settingsPath } from './sections.ts';
import { type EditValue, type Setting, valueOfText } from './setting.ts';

type Args = VisitorArgs & { url: URL };

/** A connection that can be tested. */
export interface Connection {
  kind: 'smtp' | 'sms' | 'captcha' | 'provider' | 'hook';
  name: string;
  target: string;
}

/** The keys that sign tokens. */
export interface SigningKeys {
  configured_by: string | null;
  uses_cli_keys: boolean;
  signing_keys: readonly {
    kid: string;
    algorithm: string;
    state: 'current' | 'standby' | 'former';
    created_at: number | null;
  }[];
}

/** Data of the page. Only the selected section has content. */
export type SettingsView =
  | { kind: 'hosted' }
  | { kind: 'unavailable' }
  | {
      kind: 'settings';
      settings: Setting[];
      hidden: number;
      connections: Connection[] | undefined;
      keys: (SigningKeys & { hasAuthenticator: boolean }) | undefined;
      configPath: string | null;
      hash: string | null;
      refusal: string | null;
    };

/** The result of a form, which is shown with the loader's data. */
export type SettingsResult =
  | {
      kind: 'not-saved';
      name: string;
      text: string;
      reason: 'conflict' | 'invalid' | 'failed';
      message: string;
    }
  | { kind: 'tested'; connection: Pick<Connection, 'kind' | 'name'>; isOk: boolean; message: string }
  | { kind: 'revealed'; key: string; value: string }
  | { kind: 'confirm'; key: string; isWrong: boolean }
  | { kind: 'rotated'; lines: readonly string[]; isDone: boolean };

interface SettingsResponse {
  settings: Setting[];
  connections: Connection[];
  config_path: string | null;
  config_hash: string | null;
  refusal: string | null;
}

/** Loads the selected section. */
export function loadSettings(args: Args) {
  return asAdmin(args, async ({ operator }) => {
    if (operator === undefined) return view({ kind: 'hosted' });
    try {
      return view(await readSettings(args, operator));
    } catch (error) {
      if (error instanceof OperatorError) return view({ kind: 'unavailable' }, 503);
      throw error;
    }
  });
}

async function readSettings(args: Args, operator: OperatorClient): Promise<SettingsView> {
  const selection = readSettingsSelection(args.url.searchParams);
  const isSearch = selection.q !== '';
  const response = await operator.get<SettingsResponse>('/settings');
  const { shown, hidden } = selectSettings(response.settings, selection);
  const needsKeys = !isSearch && selection.section === 'keys';
  return {
    kind: 'settings',
    settings: shown,
    hidden,
    connections: !isSearch && selection.section === 'connections' ? response.connections : undefined,
    keys: needsKeys
      ? {
          ...(await operator.get<SigningKeys>('/keys')),
          hasAuthenticator: await hasAuthenticator(args),
        }
      : undefined,
    configPath: response.config_path,
    hash: response.config_hash,
    refusal: response.refusal ?? (response.config_hash === null ? 'config_file' : null),
  };
}

/** Runs a form of the page. */
export function changeSettings(args: Args) {
  return asAdmin(args, async (admin) => {
    const { operator } = admin;
    if (operator === undefined) throw refused({ status: 400, code: 'unclearForm' });
    const form = await args.request.formData();
    const parts = { args, admin, operator, form };
    switch (form.get('intent')) {
      case 'save':
      case 'reset':
        return saveSetting(parts);
      case 'test':
        return testConnection(parts);
      case 'reveal':
        return revealKey(parts);
      case 'rotate':
        return changeKeys(
          parts,
          '/keys/rotate',
          {},
          { action: 'key.rotate', target: 'signing key', summary: 'Rotated the signing key' },
        );
      case 'revoke': {
        const kid = String(form.get('kid') ?? '');
        return changeKeys(
          parts,
          '/keys/revoke',
          { kid },
          { action: 'key.revoke', target: kid, summary: `Revoked the signing key ${kid}` },
        );
      }
      default:
        throw refused({ status: 400, code: 'unclearForm' });
    }
  });
}

interface FormParts {
  args: Args;
  admin: Admin;
  operator: OperatorClient;
  form: FormData;
}

async function saveSetting({ args, admin, operator, form }: FormParts) {
  const name = String(form.get('name') ?? '');
  const text = String(form.get('value') ?? '').replaceAll('\r\n', '\n');
  const { settings } = await operator.get<SettingsResponse>('/settings');
  const setting = settings.find((each) => each.name === name);
  if (setting === undefined) throw refused({ status: 400, code: 'unclearForm' });
  const value = form.get('intent') === 'reset' ? null : valueOfText(setting.edit?.kind ?? 'text', text);
  const key = setting.key ?? name;
  if (value === undefined)
    return notSaved({ name, text, reason: 'invalid', message: `${key}: ${setting.allowed}` }, 400);
  try {
    const outcome = { applied: [] as readonly string[] };
    const before = setting.edit?.is_in_file ? setting.edit.value : null;
    const summary = value === null ? `Reset ${key}` : `Set ${key} to ${shown(value)}`;
    await audited(
      admin,
      { action: 'setting.update', target: key, summary, before, after: value },
      async () => {
        outcome.applied = (
          await operator.send<{ applied: string[] }>('PATCH', '/settings', {
            config_hash: String(form.get('config_hash') ?? ''),
            changes: [{ name, value }],
          })
        ).applied;
        return undefined;
      },
    );
    const notice = outcome.applied.length > 0 ? 'saved' : 'unchanged';
    const selection = readSettingsSelection(args.url.searchParams);
    const { q, all } = selection;
    return redirect(settingsPath({ section: sectionOf(setting), q, all }, { notice, changed: key }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const reason = error.code === 'config_changed' ? 'conflict' : error.status < 500 ? 'invalid' : 'failed';
    // The router loads the page again, with the current value, only after a status below 400.
    const status = reason === 'conflict' ? 200 : error.status;
    return notSaved({ name, text, reason, message: error.message }, status);
  }
}

/** At most as long as a summary of the audit log may be. */
function shown(value: EditValue): string {
  return JSON.stringify(value).slice(0, 200);
}

function notSaved(result: Omit<SettingsResult & { kind: 'not-saved' }, 'kind'>, status: number) {
  return data<SettingsResult>({ kind: 'not-saved', ...result }, { status });
}

async function testConnection({ admin, operator, form }: FormParts) {
  const kind = String(form.get('kind') ?? '') as Connection['kind'];
  const name = String(form.get('name') ?? '');
  const connection = { kind, name };
  const entry = {
    action: 'connection.test',
    target: `${kind} ${name}`.trim(),
    summary: `Tested ${kind} ${name}`.trim(),
  };
  try {
    const found = { is_ok: false, message: '' };
    await audited(admin, entry, async () => {
      Object.assign(
        found,
        await operator.send('POST', '/settings/test', {
          kind,
          name: kind === 'provider' || kind === 'hook' ? name : '',
        }),
      );
      return { after: found };
    });
    return data<SettingsResult>({ kind: 'tested', connection, isOk: found.is_ok, message: found.message });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message, status } = error;
    return data<SettingsResult>({ kind: 'tested', connection, isOk: false, message }, { status });
  }
}

async function revealKey({ args, admin, operator, form }: FormParts) {
  const key = String(form.get('key') ?? '');
  if (key !== 'publishable' && key !== 'anon') throw refused({ status: 400, code: 'unclearForm' });
  if (!(await isReauthenticated(args, form))) {
    const isWrong = form.has('password') || form.has('code');
    return data<SettingsResult>({ kind: 'confirm', key, isWrong }, { status: isWrong ? 403 : 200 });
  }
  const revealed = { value: '' };
  const entry = { action: 'key.reveal', target: key, summary: `Revealed the ${key} key` };
  await audited(admin, entry, async () => {
    Object.assign(revealed, await operator.send('POST', '/keys/reveal', { name: key }));
    return undefined;
  });
  return data<SettingsResult>(
    { kind: 'revealed', key, value: revealed.value },
    { headers: { 'cache-control': 'private, no-store' } },
  );
}

async function changeKeys(
  { admin, operator }: FormParts,
  path: string,
  body: object,
  entry: Parameters<typeof audited>[1],
) {
  const outcome: { lines: readonly string[] } = { lines: [] };
  try {
    await audited(admin, entry, async () => {
      Object.assign(outcome, await operator.send('POST', path, body));
      return { after: outcome.lines };
    });
    return data<SettingsResult>({ kind: 'rotated', lines: outcome.lines, isDone: true });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return data<SettingsResult>(
      { kind: 'rotated', lines: [error.message], isDone: false },
      { status: error.status },
    );
  }
}

function view(value: SettingsView, status = 200) {
  return data(value, { status });
}
