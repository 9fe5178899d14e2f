/**
 * The filter of system calls for the process of a function, on Linux (seccomp(2)). It closes networks that Deno's
 * permissions do not know, for every way to a socket and for all threads, also if a function escapes from Deno.
 */

/** Sockets that a filter leaves open. */
interface FilterOptions {
  /** Whether the process may open sockets of IPv6. */
  allowsIpv6: boolean;
  /** Paths of the Unix sockets to which the process connects, and on which it serves. */
  connectsTo: string;
  servesOn: string;
  platform?: NodeJS.Platform;
  arch?: string;
}

/** Numbers of a processor's system calls, and its number in filters (linux/audit.h). */
interface Architecture {
  audit: number;
  socket: number;
  bind: number;
  connect: number;
  /** Calls that a function never needs. */
  refused: readonly number[];
}

/** Refused are execve, execveat, ptrace, process_vm_readv, process_vm_writev, io_uring_setup. */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, socket: 41, bind: 49, connect: 42, refused: [59, 322, 101, 310, 311, 425] },
  arm64: { audit: 0xc00000b7, socket: 198, bind: 200, connect: 203, refused: [221, 281, 117, 270, 271, 425] },
};

/** Families of addresses (socket(2)). Name resolution uses netlink. */
const FAMILIES = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
/** Lengths of addresses (struct sockaddr_in, sockaddr_in6, sockaddr_nl; sun_path in struct sockaddr_un). */
const LENGTHS = { inet: 16, inet6: 28, netlink: 12 };
const PATH_OFFSET = 2;
const NO_PERMISSION = 1;
const FAMILY_NOT_SUPPORTED = 97;

/** Positions in the data of a call (struct seccomp_data); arguments are little-endian. */
const CALL = 0;
const AUDIT = 4;
const FIRST_ARGUMENT = 16;
const THIRD_ARGUMENT = 32;

/** Calls of the x32 interface have this bit (asm/unistd.h). */
const X32 = 0x40000000;

/** Instructions of classic BPF (linux/bpf_common.h), and results of a filter (linux/seccomp.h). */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERROR = 0x00050000;
const INSTRUCTION_BYTES = 8;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * Returns the program in base64; undefined on systems without such filters. Deno asks for no permission for abstract Unix
 * sockets, and a filter cannot read names: it allows only the lengths of the addresses that the process needs.
 */
export function systemCallFilter({
  allowsIpv6,
  connectsTo,
  servesOn,
  platform = process.platform,
  arch = process.arch,
}: FilterOptions): string | undefined {
  const architecture = platform === 'linux' ? ARCHITECTURES[arch] : undefined;
  if (architecture === undefined) return undefined;
  const { unix, inet, inet6, netlink } = FAMILIES;
  const families = [unix, inet, netlink, ...(allowsIpv6 ? [inet6] : [])];
  const { audit, socket, bind, connect, refused } = architecture;
  const lengths = [LENGTHS.inet, ...(allowsIpv6 ? [LENGTHS.inet6] : [])];
  const program: Instruction[] = [
    [LOAD, 0, 0, AUDIT],
    ...returnUnlessEqual(audit, ERROR + NO_PERMISSION),
    [LOAD, 0, 0, CALL],
    [JUMP_IF_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, ERROR + NO_PERMISSION],
    ...refused.flatMap((number) => returnIfEqual(number, ERROR + NO_PERMISSION)),
    ...onCall(socket, allowOnly(FIRST_ARGUMENT, families, FAMILY_NOT_SUPPORTED)),
    ...onCall(
      bind,
      allowOnly(THIRD_ARGUMENT, [...lengths, LENGTHS.netlink, lengthOf(servesOn)], NO_PERMISSION),
    ),
    ...onCall(connect, allowOnly(THIRD_ARGUMENT, [...lengths, lengthOf(connectsTo)], NO_PERMISSION)),
    [RETURN, 0, 0, ALLOW],
  ];
  return encode(program);
}

/** Length of the address of a Unix socket, whose path ends with a zero. */
function lengthOf(path: string): number {
  return PATH_OFFSET + Buffer.byteLength(path) + 1;
}

/** Runs instructions for one call only. */
function onCall(number: number, instructions: readonly Instruction[]): Instruction[] {
  return [[JUMP_IF_EQUAL, 0, instructions.length, number], ...instructions];
}

/** Returns from the filter: allows the call if an argument has one of the values. */
function allowOnly(argument: number, values: readonly number[], error: number): Instruction[] {
  return [
    [LOAD, 0, 0, argument],
    ...values.flatMap((value) => returnIfEqual(value, ALLOW)),
    [RETURN, 0, 0, ERROR + error],
  ];
}

function returnIfEqual(value: number, result: number): Instruction[] {
  return [
    [JUMP_IF_EQUAL, 0, 1, value],
    [RETURN, 0, 0, result],
  ];
}

function returnUnlessEqual(value: number, result: number): Instruction[] {
  return [
    [JUMP_IF_EQUAL, 1, 0, value],
    [RETURN, 0, 0, result],
  ];
}

function encode(program: readonly Instruction[]): string {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    const offset = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, offset);
    bytes.writeUInt8(ifTrue, offset + 2);
    bytes.writeUInt8(ifFalse, offset + 3);
    bytes.writeUInt32LE(value, offset + 4);
  }
  return bytes.toString('base64');
}
