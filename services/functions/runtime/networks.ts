/** Calculates with networks of IPv4 in the notation of CIDR, e.g. `10.0.0.0/8`; a single address is a network, too. */

const BITS = 32;

/** The addresses from `first`, whose leading `bits` are equal. */
interface Network {
  first: number;
  bits: number;
}

/** Returns networks with all addresses of `networks` except those of `removed`. */
export function withoutNetworks(networks: readonly string[], removed: readonly string[]): string[] {
  const holes = removed.map(parse);
  return networks.flatMap((network) => without(parse(network), holes).map(format));
}

function without(network: Network, holes: readonly Network[]): Network[] {
  const touching = holes.filter((hole) => contains(hole, network) || contains(network, hole));
  if (touching.length === 0) return [network];
  if (touching.some((hole) => contains(hole, network))) return [];
  const bits = network.bits + 1;
  const halves = [network.first, network.first + 2 ** (BITS - bits)];
  return halves.flatMap((first) => without({ first, bits }, touching));
}

/** Whether a network contains all addresses of another one. */
function contains(outer: Network, inner: Network): boolean {
  const end = ({ first, bits }: Network) => first + 2 ** (BITS - bits);
  return outer.first <= inner.first && end(inner) <= end(outer);
}

function parse(text: string): Network {
  const [address = '', length = String(BITS)] = text.split('/');
  const bits = Number(length);
  const number = address.split('.').reduce((value, byte) => value * 256 + Number(byte), 0);
  const size = 2 ** (BITS - bits);
  return { first: Math.floor(number / size) * size, bits };
}

function format({ first, bits }: Network): string {
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
  return `${bytes.join('.')}/${bits}`;
}
