/** A private gallery: uploads, thumbnails by signed URLs, and the limits of a bucket. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataOf, signUp } from '../connect.ts';

const owner = await signUp();
const visitor = await signUp();
const photo = await readFile(join(import.meta.dirname, 'photo.png'));
const path = `${owner.id}/beach.png`;
const photos = owner.client.storage.from('photos');

dataOf(await photos.upload(path, photo, { contentType: 'image/png' }));
console.log(`Original: ${sizeOf(photo)}`);

const { signedUrl } = dataOf(
  await photos.createSignedUrl(path, 60, { transform: { width: 320, height: 240, resize: 'cover' } }),
);
const thumbnail = await fetch(signedUrl);
console.log(`Thumbnail: ${sizeOf(Buffer.from(await thumbnail.arrayBuffer()))}`);

const listed = dataOf(await photos.list(owner.id));
console.log(`Photos of the owner: ${listed.map(({ name }) => name).join(', ')}`);

const foreign = visitor.client.storage.from('photos');
console.log(`Another user lists: ${dataOf(await foreign.list(owner.id)).length} photos`);
console.log(`Another user downloads: ${(await foreign.download(path)).error?.message}`);
console.log(
  `Another user uploads: ${(await foreign.upload(path, photo, { contentType: 'image/png' })).error?.message}`,
);

const text = await photos.upload(`${owner.id}/notes.txt`, 'no photo', { contentType: 'text/plain' });
console.log(`A text file: ${text.error?.message}`);

dataOf(await photos.remove([path]));

/** Width and height of a PNG image: bytes 16 to 23 (RFC 2083, section 3). */
function sizeOf(image: Buffer): string {
  return `${image.readUInt32BE(16)} × ${image.readUInt32BE(20)}`;
}
