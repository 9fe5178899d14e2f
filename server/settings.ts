/** All settings of an instance: its own, those of messages and pages, and those of each service. */
import { type AppConfig, defineAppSettings } from '@greenroom/app/settings';
import { PROVIDERS } from '@greenroom/auth/providers';
import { type BackupConfig, backupSettings } from '@greenroom/backup/settings';
import {
  type ConfigSource,
  type InstanceConfig,
  instanceSettings,
  parseSettings,
  reloadableNames,
  resolveSource,
  type Setting,
  type SettingsContext,
  settingsIn,
} from '@greenroom/config';
import { type MailboxConfig, mailboxSettings } from '@greenroom/mailbox/settings';
import { type MessageConfig, messageSettings } from '@greenroom/messages/settings';
import { type ServiceConfigs, services } from './services.ts';

export interface Config extends InstanceConfig, MessageConfig, ServiceConfigs {
  app: AppConfig;
  mailbox: MailboxConfig;
  backup: BackupConfig;
  /** The settings as text, because some of them may be reloaded from the database or from files. */
  source: ConfigSource;
}

const appSettings = defineAppSettings(PROVIDERS);

/** The groups of settings, in the order of the reference page. */
export const settingsGroups = [
  instanceSettings,
  appSettings,
  ...services.map(({ settings }) => settings),
  messageSettings,
  mailboxSettings,
  backupSettings,
];

/** Every setting once; some are in several groups. */
export const allSettings: readonly Setting[] = [
  ...new Map(
    settingsGroups.flatMap(({ tree }) => settingsIn(tree)).map((setting) => [setting.name, setting]),
  ).values(),
];

/** Names of the settings whose new values a reload applies. */
export const RELOADABLE = reloadableNames(settingsGroups.flatMap(({ tree }) => settingsIn(tree)));

/**
 * Parses all settings.
 * @throws ConfigError that lists every wrong one
 */
export function loadConfig(source: ConfigSource): Config {
  const tree = {
    instance: instanceSettings.tree,
    app: appSettings.tree,
    messages: messageSettings.tree,
    mailbox: mailboxSettings.tree,
    backup: backupSettings.tree,
    services: Object.fromEntries(services.map(({ name, settings }) => [name, settings.tree])),
  };
  const resolved = resolveSource(tree, source);
  const values = parseSettings(tree, resolved);
  const instance = instanceSettings.complete(values.instance, undefined as never);
  const context: SettingsContext = { instance, source: resolved };
  const configs = completeServices(values.services, context);
  const { auth } = configs;
  return {
    ...instance,
    ...messageSettings.complete(values.messages, undefined as never),
    ...configs,
    mailbox: mailboxSettings.complete(values.mailbox, context),
    backup: backupSettings.complete(values.backup, undefined as never),
    app: appSettings.complete(values.app, {
      ...context,
      captchaProvider: auth.captchaProvider,
      ownClientIds: clientIdsOf(auth.externalProviders.providers),
    }),
    source,
  };
}

/** Returns the first client id of each enabled provider, which its sign-in uses. */
function clientIdsOf(providers: Config['auth']['externalProviders']['providers']): Record<string, string> {
  return Object.fromEntries(Array.from(providers, ([name, { clientIds }]) => [name, clientIds[0]]));
}

/** The cast is necessary because the compiler cannot infer that each service completes only the values of its tree. */
function completeServices(values: Record<string, unknown>, context: SettingsContext): ServiceConfigs {
  const configs = services.map(({ name, settings }) => {
    const complete = settings.complete as (values: unknown, context: SettingsContext) => unknown;
    return [name, complete(values[name], context)];
  });
  return Object.fromEntries(configs) as ServiceConfigs;
}
