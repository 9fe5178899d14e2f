/** Small real files of the kinds that browsers play and show. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const HEADER_BYTES = 44;
const RATE = 8000;

/** Creates a WAV of silence: 8,000 samples per second of 8 bits, in mono. */
export function silence(seconds: number): Buffer {
  const samples = seconds * RATE;
  const wav = Buffer.alloc(HEADER_BYTES + samples, 128);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(HEADER_BYTES - 8 + samples, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  // PCM, one channel, one byte per sample.
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE, 28);
  wav.write('data', 36);
  wav.writeUInt32LE(samples, 40);
  return wav;
}

/** Creates a PDF of one empty page. */
export function emptyPage(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF`;
  return Buffer.from(`${pdf}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`);
}

/** Returns eight frames of colours in VP8, 64 by 48 pixels. */
export function sampleVideo(): Promise<Buffer> {
  return readFile(join(import.meta.dirname, '..', 'fixtures', 'film.webm'));
}
