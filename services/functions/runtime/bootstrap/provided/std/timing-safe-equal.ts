/** Stands for `crypto/timing_safe_equal` of Deno's standard library. */
type Bytes = ArrayBufferView | ArrayBufferLike;

/** Compares bytes in a time that does not depend on their values. */
export function timingSafeEqual(first: Bytes, second: Bytes): boolean {
  const [a, b] = [viewOf(first), viewOf(second)];
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}

function viewOf(bytes: Bytes): Uint8Array {
  return ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}
