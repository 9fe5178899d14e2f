/** A common mistake behind a reverse proxy: the server is not told its public URL. */
import { type InstanceConfig, isPublicUrl } from '@greenroom/config';

/**
 * Warns where a proxy is trusted, so that visitors come from elsewhere, while the public URL is one of this machine:
 * links of mails, passkeys and limits would be those of this machine.
 */
export function warnOfLoopbackUrl(
  config: Pick<InstanceConfig, 'appUrl' | 'trustedProxies'>,
  warn: (details: { publicUrl: string }, text: string) => void,
): void {
  const { appUrl: publicUrl } = config;
  if (config.trustedProxies.length === 0 || isPublicUrl(publicUrl)) return;
  warn(
    { publicUrl },
    'a proxy is trusted, but the public URL is one of this machine: set GREENROOM_PUBLIC_URL',
  );
}
