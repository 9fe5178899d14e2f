/**
 * Globs for parts of URLs, as in GoTrue's allow list: `*` matches any text without the separators `.` and `/`, `**`
 * matches any text, `?` one character except a separator, `[ab]` one character of a set, `{a,b}` one of several texts.
 */

const ONE = '[^./]';

/** Compiles a glob. Other characters match themselves, and so does an unclosed bracket or brace. */
export function compileGlob(pattern: string, flags: '' | 'i' = ''): RegExp {
  return new RegExp(`^(?:${translate(pattern)})$`, `s${flags}`);
}

const PARTS = /(\*{2,})|(\*)|(\?)|\[(!?)([^\]]+)\]|\{([^{}]*)\}|\\(.)|(.)/gs;

function translate(pattern: string): string {
  return pattern.replace(
    PARTS,
    (_all, doubleStar, star, questionMark, negated, set, alternatives, escaped, plain) => {
      if (doubleStar !== undefined) return '.*';
      if (star !== undefined) return `${ONE}*`;
      if (questionMark !== undefined) return ONE;
      if (set !== undefined) return `[${negated ? '^' : ''}${escapeSet(set)}]`;
      if (alternatives !== undefined) return `(?:${alternatives.split(',').map(translate).join('|')})`;
      return RegExp.escape(escaped ?? plain);
    },
  );
}

/** Keeps ranges such as `a-z`. */
function escapeSet(set: string): string {
  return set.replace(/[\\\]^]/g, '\\$&');
}
