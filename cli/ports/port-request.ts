/** The ports of an instance as its settings request them. */
import { allSettings } from '@greenroom/server/settings';
import type { Settings } from '../settings.ts';

/** A requested port, and the holders of that port to which the instance gives way. */
export interface PortRequest {
  /** Variable that sets it. */
  setting: string;
  /** Where the user changes it, for messages: the variable, or the key of config.toml. */
  name: string;
  host: string;
  /** Port to try first: the remembered one, otherwise the configured one. 0: any free port. */
  port: number;
  configured: number;
  /** Text of the configured port; empty if it is unset. */
  configuredText: string;
  /** A port that a flag or the environment sets is never replaced. Later starts use the port that replaces another one. */
  yieldsTo: 'none' | 'instances' | 'all';
}

/** A port of an instance. */
interface PortSetting {
  setting: keyof typeof KEYS;
  host: string;
  /** The port if none is configured. */
  fallback: number;
  /** Holders to which an instance without a config.toml gives way. */
  yieldsWithoutFile: PortRequest['yieldsTo'];
}

/** Returns the request for a port. The settings must be valid. */
export function portRequest(settings: Settings, port: PortSetting): PortRequest {
  const { setting, host, fallback } = port;
  const value = settings.values.get(setting);
  const remembered = settings.remembered.get(setting);
  const isRemembered = remembered !== undefined && remembered === value;
  const initial = allSettings.find(({ name }) => name === setting)?.details.default ?? '';
  const configuredText = isRemembered ? (remembered.insteadOf ?? '') : value?.text || initial;
  const isExplicit = Boolean(value?.text) && value?.written === undefined && !isRemembered;
  const configured = Number(configuredText || fallback);
  return {
    setting,
    name:
      isExplicit || settings.configFile === undefined ? setting : `${KEYS[setting]} in supabase/config.toml`,
    host,
    port: isRemembered ? Number(remembered.text) : configured,
    configured,
    configuredText,
    yieldsTo: isExplicit ? 'none' : settings.configFile === undefined ? port.yieldsWithoutFile : 'instances',
  };
}

/** Keys of the ports that a start chooses. */
const START_KEYS = {
  PORT: 'api.port',
  GREENROOM_DB_PORT: 'db.port',
  GREENROOM_MAILBOX_PORT: 'local_smtp.port',
  GREENROOM_MAILBOX_SMTP_PORT: 'local_smtp.smtp_port',
  GREENROOM_MAILBOX_POP3_PORT: 'local_smtp.pop3_port',
} as const;

const KEYS = {
  ...START_KEYS,
  GREENROOM_DB_SHADOW_PORT: 'db.shadow_port',
} as const;

/** The settings of all ports that a start chooses. */
export const PORT_SETTINGS = Object.keys(START_KEYS);
