/** Storage operations: uploads 10 KB, downloads it, and lists a folder. */
import type { SendRequest } from './http-client.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

const CONTENT = Buffer.alloc(10 * 1024, 'greenroom');
/** Uploads overwrite each other, so that the suite does not fill the disk. */
const UPSERT = { 'x-upsert': 'true', 'content-type': 'application/octet-stream' };

/** Returns the storage operations. */
export function storageOperations({ anonKey }: ClientsInput, send: SendRequest): Operation[] {
  const headersOf = ({ accessToken }: Person) => ({
    apikey: anonKey,
    authorization: `Bearer ${accessToken}`,
  });
  const keyOf = ({ userId }: Person) => `abuse/clients/${userId}`;
  const upload = (person: Person) =>
    send({
      address: person.address,
      path: `/storage/v1/object/${keyOf(person)}`,
      headers: { ...headersOf(person), ...UPSERT },
      body: CONTENT,
    });
  const download = async (person: Person) => {
    const path = '/storage/v1/object/authenticated/abuse/shared.bin';
    const { text } = await send({ address: person.address, path, headers: headersOf(person) });
    if (text.length !== CONTENT.length) throw new Error(`download has ${text.length} bytes`);
  };
  const list = (person: Person) =>
    send({
      address: person.address,
      path: '/storage/v1/object/list/abuse',
      headers: headersOf(person),
      body: { prefix: 'clients', limit: 20 },
    });
  return [
    { service: 'storage', name: 'upload', perSecond: 1, run: upload },
    { service: 'storage', name: 'download', perSecond: 1, run: download },
    { service: 'storage', name: 'list', perSecond: 1, run: list },
  ];
}
