/** Detects a common misconfiguration behind a reverse proxy: the public URL is not set. */
import { type InstanceConfig, isPublicUrl } from '@greenroom/config';

/**
 * Warns if a proxy is trusted, so that visitors come from other machines, while the public URL is a loopback URL: links
 * in mails, passkeys and limits would be those of this machine.
 */
export function warnOfLoopbackUrl(
  config: Pick<InstanceConfig, 'appUrl' | 'trustedProxies'>,
  warn: (details: { publicUrl: string }, text: string) => void,
): void {
  const { appUrl: publicUrl } = config;
  if (config.trustedProxies.length === 0 || isPublicUrl(publicUrl)) return;
  warn(
    { publicUrl },
    'a trusted proxy is configured, but the public URL is a loopback URL; set GREENROOM_PUBLIC_URL',
  );
}
