/** Digests of settings, by which another process can compare its settings with those of a running instance. */
import { createHmac } from 'node:crypto';
import type { ConfigSource } from '@greenroom/config';
import { allSettings } from './settings.ts';

/**
 * Returns a digest of each setting that has a text, by its name. Digests are stored instead of texts, because some are
 * secrets.
 * @param key secret of the instance
 */
export function digestSettings(source: ConfigSource, key: string): Record<string, string> {
  const entries = allSettings.flatMap(({ name }) => {
    const text = source[name];
    return text ? [[name, createHmac('sha256', key).update(`${name}=${text}`).digest('base64url')]] : [];
  });
  return Object.fromEntries(entries);
}
