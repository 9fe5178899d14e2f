/** The permissions of Deno for the process of a function. */
import { PRIVATE_RANGES_4 } from '@greenroom/network';

/** Addresses that are not on the public internet. Deno accepts ranges of IPv4 only. */
const PRIVATE_NETWORKS = [...PRIVATE_RANGES_4, '[::]', '[::1]'];

/** As on the hosted platform, functions send no mail directly. */
const CLOSED_PORTS = [25, 587];

/** Facts about the machine that packages read; none identifies it. */
const SYSTEM_INFORMATION = ['osRelease', 'osUptime', 'loadavg', 'systemMemoryInfo', 'cpus', 'hostname'];

/** Places and addresses that a function may use. */
interface Permissions {
  /** Files and folders that it may read. */
  read: readonly string[];
  /** Folders that it may read and write. */
  write: readonly string[];
  /** Hosts, with or without port, or networks that are allowed although they are private. */
  privateNetworks: readonly string[];
}

/** Returns the arguments of Deno for permissions. Everything that they do not name is refused without a question. */
export function permissionArguments({ read, write, privateNetworks }: Permissions): string[] {
  const denied = PRIVATE_NETWORKS.filter((network) => !privateNetworks.includes(network));
  return [
    '--no-prompt',
    '--allow-env',
    `--allow-sys=${SYSTEM_INFORMATION.join(',')}`,
    `--allow-read=${[...read, ...write].join(',')}`,
    `--allow-write=${write.join(',')}`,
    '--allow-net',
    `--deny-net=${[...denied, ...CLOSED_PORTS.map((port) => `0.0.0.0:${port}`)].join(',')}`,
  ];
}
