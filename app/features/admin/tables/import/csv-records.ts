/** Reads the records of a CSV file in pieces, so that a file may be larger than the memory. */
import Papa from 'papaparse';

/** The format of a file, as it was guessed from its beginning. */
export interface CsvFormat {
  delimiter: string;
  newline: '\r\n' | '\n' | '\r';
}

/** The beginning of a file. */
export interface CsvStart extends CsvFormat {
  fields: readonly string[];
  /** The first records. */
  records: readonly (readonly string[])[];
}

/** Number of records of the preview. */
const PREVIEW_RECORDS = 50;
const PREVIEW_BYTES = 1_000_000;

/** Reads the names of the fields and the first records; undefined if the file has no fields. */
export async function readStart(file: Blob): Promise<CsvStart | undefined> {
  const text = await file.slice(0, PREVIEW_BYTES).text();
  const { data, meta } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    preview: PREVIEW_RECORDS + 1,
    skipEmptyLines: true,
  });
  const [fields, ...records] = data;
  if (fields === undefined || fields.length === 0) return undefined;
  // A preview of a single line ends before its line break.
  const newline = meta.linebreak === '\r\n' || meta.linebreak === '\r' ? meta.linebreak : '\n';
  return { delimiter: meta.delimiter, newline, fields, records };
}

/** Yields the records in batches, without the names of the fields and empty lines. */
export async function* readRecords(
  file: Blob,
  { delimiter, newline }: CsvFormat,
): AsyncGenerator<string[][]> {
  const parser = new Papa.Parser({ delimiter, newline });
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let hasFields = false;
  for (let isLast = false; !isLast; ) {
    const { value = '', done } = await reader.read();
    isLast = done;
    rest += value;
    // The last record may continue in the next piece.
    const { data, meta } = parser.parse(rest, 0, !isLast) as Papa.ParseResult<string[]>;
    rest = rest.slice(meta.cursor);
    const records = data.filter((record) => record.length > 1 || record[0] !== '');
    const batch = hasFields ? records : records.slice(1);
    hasFields ||= records.length > 0;
    if (batch.length > 0) yield batch;
  }
}
