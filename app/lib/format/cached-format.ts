/**
 * Creates a function that returns the same formatter for the same arguments, because creating one takes much longer than
 * using it. Use it only where the arguments have few different values.
 */
export function cachedFormat<Arguments extends readonly (string | number)[], Format>(
  create: (...values: Arguments) => Format,
): (...values: Arguments) => Format {
  const formats = new Map<string, Format>();
  return (...values) => {
    const key = values.join(' ');
    const known = formats.get(key);
    if (known !== undefined) return known;
    const format = create(...values);
    formats.set(key, format);
    return format;
  };
}
