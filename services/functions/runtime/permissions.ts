/** The permissions of Deno for the process of a function. */
import { networkInterfaces } from 'node:os';
import { PRIVATE_RANGES_4 } from '@greenroom/network';
import { withoutNetworks } from './networks.ts';

/** As on the hosted platform, functions send no mail directly. */
const CLOSED_PORTS = ['0.0.0.0/0:25', '0.0.0.0/0:587'];

/** Facts about the machine that packages read; none identifies it. */
const SYSTEM_INFORMATION = ['osRelease', 'osUptime', 'loadavg', 'systemMemoryInfo', 'cpus', 'hostname'];

/** Places and addresses that a function may use. */
interface Permissions {
  /** Files and folders that it may read. */
  read: readonly string[];
  /** Folders that it may read and write. */
  write: readonly string[];
  /** Networks of IPv4 that are allowed although they are private. */
  privateNetworks: readonly string[];
  /** Whether the bootstrap may call libraries, until it gives up the right to. */
  callsLibraries: boolean;
  /** The only socket that it may use, by its path; undefined: it has a network. */
  onlySocket?: string | undefined;
}

/** Returns the arguments of Deno for permissions. Everything that they do not name is refused without a question. */
export function permissionArguments(permissions: Permissions): string[] {
  const { read, write, privateNetworks, callsLibraries, onlySocket } = permissions;
  const { addresses4, addresses6 } = ownAddresses();
  const networks = withoutNetworks([...PRIVATE_RANGES_4, ...addresses4], privateNetworks);
  const denied = [...networks, ...addresses6.map((address) => `[${address}]`), ...CLOSED_PORTS];
  return [
    '--no-prompt',
    '--allow-env',
    `--allow-sys=${SYSTEM_INFORMATION.join(',')}`,
    `--allow-read=${[...read, ...write].join(',')}`,
    `--allow-write=${write.join(',')}`,
    ...(onlySocket === undefined
      ? ['--allow-net', `--deny-net=${denied.join(',')}`]
      : [`--allow-net=unix:${onlySocket}`]),
    ...(callsLibraries ? ['--allow-ffi'] : []),
  ];
}

/** Returns the addresses of this machine, also public ones: its services may trust connections that come from itself. */
function ownAddresses() {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const of = (family: string) => all.filter((item) => item.family === family).map(({ address }) => address);
  return { addresses4: of('IPv4'), addresses6: ['::', '::1', ...of('IPv6')] };
}
