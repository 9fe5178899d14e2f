/** Lines that wait to be written, in bounded memory: further lines are dropped and counted. */

const MAX_LENGTH = 4 * 1024 * 1024;
const MAX_LINE_LENGTH = 64 * 1024;
/** Characters that are kept of a line that is too long. */
const KEPT_LINE_LENGTH = 8 * 1024;

/** A queue of lines. */
interface LineQueue {
  isEmpty(): boolean;
  add(line: string): void;
  /** Takes lines of about `length` characters. The last ones are followed by a line with the number of dropped lines. */
  take(length: number): string[];
  /** Counts the lines of the last `take` as dropped. */
  dropTaken(): void;
}

/** Creates a queue. */
export function createLineQueue(): LineQueue {
  let lines: string[] = [];
  let length = 0;
  let dropped = 0;
  /** Lines of the last `take`, with those that its notice counted. */
  let lastTaken = 0;
  return {
    isEmpty: () => lines.length === 0,
    add(line) {
      const kept = line.length > MAX_LINE_LENGTH ? shortened(line) : line;
      if (length + kept.length > MAX_LENGTH) {
        dropped += 1;
        return;
      }
      lines.push(kept);
      length += kept.length;
    },
    take(wanted) {
      let count = 0;
      let size = 0;
      while (count < lines.length && size < wanted) {
        size += lines[count]?.length ?? 0;
        count += 1;
      }
      const taken = lines.slice(0, count);
      lines = lines.slice(count);
      length -= size;
      lastTaken = count;
      if (dropped === 0 || lines.length > 0) return taken;
      const notice = noticeOf(dropped);
      lastTaken += dropped;
      dropped = 0;
      return [...taken, notice];
    },
    dropTaken() {
      dropped += lastTaken;
      lastTaken = 0;
    },
  };
}

/** The beginning of a line contains its level and its time. */
function shortened(line: string): string {
  const [, level = '30'] = /^\{"level":(\d+)/.exec(line) ?? [];
  const [, time = new Date().toISOString()] = /"time":"([^"]+)"/.exec(line.slice(0, 200)) ?? [];
  const start = line.slice(0, KEPT_LINE_LENGTH);
  const msg = 'a line of the log was too long';
  return `${JSON.stringify({ level: Number(level), time, length: line.length, start, msg })}\n`;
}

function noticeOf(count: number): string {
  const msg = 'lines of the log were not stored, because the disk was too slow or full';
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines: count, msg })}\n`;
}
