import { ConfigError, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { realtimeSettings } from './settings.ts';

describe('the settings of realtime', () => {
  it('contain the configured limits', () => {
    const realtime = loadSettings(realtimeSettings, {
      GREENROOM_REALTIME_MAX_CHANNELS_PER_CLIENT: '7',
      GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB: '2',
      GREENROOM_REALTIME_CLIENT_PRESENCE_WINDOW_MS: '100',
      GREENROOM_REALTIME_PRIVATE_ONLY: 'true',
    });
    expect(realtime).toMatchObject({
      maxChannelsPerClient: 7,
      maxPayloadBytes: 2500,
      clientPresence: { maxEvents: 5, windowMs: 100 },
      isPrivateOnly: true,
    });
  });

  it('name the allowed values of the address family', () => {
    expect(loadSettings(realtimeSettings, { GREENROOM_REALTIME_IP_VERSION: 'IPv6' }).ipVersion).toBe('IPv6');
    expect(() => loadSettings(realtimeSettings, { GREENROOM_REALTIME_IP_VERSION: 'ipv6' })).toThrow(
      'GREENROOM_REALTIME_IP_VERSION="ipv6" is not allowed. Allowed: IPv4, IPv6',
    );
  });

  it.each([
    ['GREENROOM_REALTIME_MAX_CONCURRENT_USERS', '0'],
    ['GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB', '4001'],
    ['GREENROOM_REALTIME_PRIVATE_ONLY', 'yes'],
    ['GREENROOM_REALTIME_MAX_HEADER_LENGTH', '0'],
    ['GREENROOM_REALTIME_MAX_HEADER_LENGTH', '131073'],
  ])('reject %s=%s', (name, value) => {
    expect(() => loadSettings(realtimeSettings, { [name]: value })).toThrow(ConfigError);
  });
});
