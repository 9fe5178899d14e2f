/** A name server that answers questions for an address of IPv4 with those of a list in turns (RFC 1035). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const ANSWERS_OFFSET = 6;
/** A response to a question that wanted recursion, without an error. */
const RESPONSE_FLAGS = 0x8180;
const TYPE_A = 1;
/** Points to the name of the question. */
const NAME_POINTER = 0xc00c;
const CLASS_INTERNET = 1;

/** Starts a server at port 53 of an address, which only root may use. */
export async function startNameServer(host: string, addresses: readonly string[]): Promise<AsyncDisposable> {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (query, sender) => {
    const isForAddress = query.readUInt16BE(endOfName(query)) === TYPE_A;
    const address = isForAddress ? addresses[questions % addresses.length] : undefined;
    if (isForAddress) questions += 1;
    socket.send(answer(query, address), sender.port, sender.address);
  });
  socket.bind(53, host);
  await once(socket, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

function answer(query: Buffer, address: string | undefined): Buffer {
  const head = Buffer.from(query.subarray(0, endOfName(query) + 4));
  head.writeUInt16BE(RESPONSE_FLAGS, 2);
  head.writeUInt16BE(address === undefined ? 0 : 1, ANSWERS_OFFSET);
  head.fill(0, ANSWERS_OFFSET + 2, HEADER_BYTES);
  if (address === undefined) return head;
  const record = Buffer.alloc(16);
  record.writeUInt16BE(NAME_POINTER, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_INTERNET, 4);
  // Bytes 6 to 9 are the time for which the answer may be kept: none.
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return Buffer.concat([head, record]);
}

/** Returns the position after the name of the question. */
function endOfName(query: Buffer): number {
  let position = HEADER_BYTES;
  while (query[position] !== 0) position += (query[position] ?? 0) + 1;
  return position + 1;
}
