/**
 * Patterns of the parts of URLs as GoTrue's allow list has them: `*` stops at the separators `.` and `/`, `**` does not; `?` is
 * one character but a separator, `[ab]` one of a set, `{a,b}` one of several texts.
 */

const ONE = '[^./]';

/** Compiles a pattern. A character without a meaning stands for itself; an unclosed group does so, too. */
export function compileGlob(pattern: string, flags: '' | 'i' = ''): RegExp {
  return new RegExp(`^(?:${translate(pattern)})$`, `s${flags}`);
}

const PARTS = /(\*{2,})|(\*)|(\?)|\[(!?)([^\]]+)\]|\{([^{}]*)\}|\\(.)|(.)/gs;

function translate(pattern: string): string {
  return pattern.replace(PARTS, (_all, many, some, one, negated, set, alternatives, escaped, plain) => {
    if (many !== undefined) return '.*';
    if (some !== undefined) return `${ONE}*`;
    if (one !== undefined) return ONE;
    if (set !== undefined) return `[${negated ? '^' : ''}${escapeSet(set)}]`;
    if (alternatives !== undefined) return `(?:${alternatives.split(',').map(translate).join('|')})`;
    return RegExp.escape(escaped ?? plain);
  });
}

/** Ranges such as `a-z` keep their meaning. */
function escapeSet(set: string): string {
  return set.replace(/[\\\]^]/g, '\\$&');
}
