/** Confines the process beyond Deno's permissions: installs a filter of system calls, which nothing can remove. */
import { deno, type Pointer } from './deno.ts';

const LIBRARY = 'libc.so.6';
/** prctl(2) and seccomp(2). */
const SET_NO_NEW_PRIVILEGES = 38;
const SECCOMP: Readonly<Record<string, number>> = { x86_64: 317, aarch64: 277 };
const SET_MODE_FILTER = 1;
const ALL_THREADS = 1;
const INSTRUCTION_BYTES = 8;
/** Size of struct sock_fprog, and the place of its pointer. */
const PROGRAM_BYTES = 16;
const PROGRAM_POINTER = 8;

/**
 * Installs the filter for all threads, and gives up the permission to call libraries, before the function runs. Throws if
 * the system refuses.
 * @param filter instructions in base64
 */
export function confine(filter: string): void {
  install(Uint8Array.from(atob(filter), (character) => character.charCodeAt(0)));
  const { state } = deno.permissions.revokeSync({ name: 'ffi' });
  if (state === 'granted') throw new Error('the permission to call libraries was not given up');
}

function install(instructions: Uint8Array): void {
  const library = deno.dlopen(LIBRARY, {
    prctl: { parameters: ['i32', 'u64', 'u64', 'u64', 'u64'], result: 'i32' },
    syscall: { parameters: ['i64', 'u64', 'u64', 'pointer'], result: 'i64' },
  });
  const program = new DataView(new ArrayBuffer(PROGRAM_BYTES));
  const { UnsafePointer } = deno;
  program.setUint16(0, instructions.length / INSTRUCTION_BYTES, true);
  program.setBigUint64(
    PROGRAM_POINTER,
    BigInt(UnsafePointer.value(UnsafePointer.of(instructions) as Pointer)),
    true,
  );
  const number = SECCOMP[deno.build.arch] ?? 0;
  library.symbols.prctl(SET_NO_NEW_PRIVILEGES, 1n, 0n, 0n, 0n);
  const result = library.symbols.syscall(
    number,
    SET_MODE_FILTER,
    ALL_THREADS,
    UnsafePointer.of(program.buffer) as Pointer,
  );
  library.close();
  if (Number(result) !== 0) throw new Error(`the system refuses a filter of system calls (${result})`);
}
