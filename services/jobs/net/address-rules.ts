/** Which hosts and addresses the requests of SQL may reach. */
import { BlockList, isIP, isIPv4 } from 'node:net';
import { isPrivateAddress } from '@greenroom/network';
import type { AllowedHost } from './allowed-host.ts';

/** The rules of an instance. */
export interface AddressRules {
  /** Whether a setting names this host, without brackets, and port. Its addresses are not checked. */
  allowsHost(host: string, port: number): boolean;
  /** Whether an address is public, or a setting allows it. */
  allowsAddress(address: string): boolean;
}

/** Creates the rules from the entries of the setting. */
export function createAddressRules(entries: readonly AllowedHost[]): AddressRules {
  const hosts = new Set<string>();
  const addresses = new BlockList();
  for (const entry of entries) {
    if (entry.kind === 'range') {
      addresses.addSubnet(entry.address, entry.bits, entry.family);
    } else {
      hosts.add(keyOf(entry.host, entry.port));
      if (entry.port === undefined && isIP(entry.host) !== 0)
        addresses.addAddress(entry.host, familyOf(entry.host));
    }
  }
  return {
    allowsHost: (host, port) => hosts.has(keyOf(host, port)) || hosts.has(keyOf(host, undefined)),
    allowsAddress: (address) => !isPrivateAddress(address) || addresses.check(address, familyOf(address)),
  };
}

function keyOf(host: string, port: number | undefined): string {
  return `${host} ${port ?? ''}`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
