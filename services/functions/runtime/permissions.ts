/** The permissions of Deno for the process of a function. */

/** Addresses that are not on the public internet. Deno accepts ranges of IPv4 only. */
const PRIVATE_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '[::]',
  '[::1]',
];

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
