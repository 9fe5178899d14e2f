/** Types of files that the page treats differently. Pure. */
import type { IconName } from 'greenroom/app/ui/icon';

export type FileKind = 'image' | 'audio' | 'video' | 'pdf' | 'text' | 'archive' | 'other';

const TEXT_TYPES = new Set(['application/json', 'application/xml']);
const ARCHIVE_TYPES = /^application\/(?:zip|x-zip-compressed|gzip|x-gzip|x-tar|x-7z-compressed)$/;
/** Names of text files for which browsers report no media type. */
const TEXT_NAMES = /\.(?:md|log|ya?ml|toml|ini|sql|sh|py|rb|go|rs|tsx?|jsx?|css|csv|json|txt)$/i;

/** Returns a file's kind by its media type, or by its name if the media type is unknown. */
export function kindOf(type: string, name: string): FileKind {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const [main] = essence.split('/');
  if (main === 'image' || main === 'audio' || main === 'video') return main;
  if (essence === 'application/pdf') return 'pdf';
  if (main === 'text' || TEXT_TYPES.has(essence)) return 'text';
  if (ARCHIVE_TYPES.test(essence)) return 'archive';
  return essence === 'application/octet-stream' && TEXT_NAMES.test(name) ? 'text' : 'other';
}

export const KIND_ICONS: Readonly<Record<FileKind | 'folder', IconName>> = {
  folder: 'lucide:folder',
  image: 'lucide:image',
  audio: 'lucide:music',
  video: 'lucide:film',
  pdf: 'lucide:file-text',
  text: 'lucide:file-text',
  archive: 'lucide:file-archive',
  other: 'lucide:file',
};
